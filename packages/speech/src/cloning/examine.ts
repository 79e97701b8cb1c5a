import { createFloatResampler, int16ToFloat32 } from '@vaani/pcm-audio'
import { AudioError, decodeAudio } from '../decode-audio/index.ts'
import type { ExamineReply, ExamineRequest, RecordingProblem } from './examine-messages.ts'
import { judgeRecordings, RECORDING_BOUNDS, type RecordingFault, VOICED_SECONDS } from './judge-recordings.ts'
import { measureVoice } from './measure-voice.ts'
import { ANALYSIS_RATE_HZ } from './track-voice.ts'

const { seconds, voicedSeconds, signalToNoiseDb, speechDbfs } = RECORDING_BOUNDS
const MESSAGES: Readonly<Record<RecordingFault, string>> = {
  too_short: `is shorter than ${seconds.min} s`,
  too_long: `is longer than ${seconds.max} s`,
  too_quiet: `is too quiet: its speech is below ${speechDbfs} dBFS`,
  clipped: 'is overloaded: its loudest parts are cut off',
  too_noisy: `is too noisy: its speech is less than ${signalToNoiseDb} dB above the noise`,
  too_little_speech: `has less than ${voicedSeconds} s of voiced speech`,
  no_voice: 'hardly moves its pitch, as music, singing, a tone or a hum',
  several_speakers: 'seems to have more than one speaker',
  other_speaker: 'seems to be of another speaker than the first one',
}

/** Decodes and judges recordings of a speaker and measures the voice, or measures speech of an engine. */
export async function examine(request: ExamineRequest): Promise<ExamineReply> {
  if (request.type === 'speech') {
    const { samples, sampleRateHz } = request
    const resampler = createFloatResampler({ fromHz: sampleRateHz, toHz: ANALYSIS_RATE_HZ })
    const floats = int16ToFloat32(samples)
    return { type: 'measured', voice: measureVoice(join([resampler.push(floats), resampler.flush()])) }
  }
  const problems: RecordingProblem[] = []
  const recordings: Float32Array[] = []
  for (const [recording, file] of request.files.entries())
    try {
      // A little more than the limit, so that codecs may add silence.
      const wanted = { sampleRateHz: ANALYSIS_RATE_HZ, maxSeconds: seconds.max + 0.5 }
      recordings.push(await decodeAudio({ file }, wanted))
    } catch (error) {
      if (!(error instanceof AudioError)) throw error
      const message = error.code === 'too_long' ? MESSAGES.too_long : error.message
      problems.push({ recording, reason: error.code, message })
    }
  if (problems.length > 0) return { type: 'refused', problems }
  const judged = judgeRecordings(recordings)
  for (const [recording, { faults }] of judged.entries())
    for (const reason of faults) problems.push({ recording, reason, message: MESSAGES[reason] })
  if (problems.length > 0) return { type: 'refused', problems }
  if (judged.reduce((sum, one) => sum + one.voicedSeconds, 0) < VOICED_SECONDS) {
    const message = `have less than ${VOICED_SECONDS} s of voiced speech together`
    return { type: 'refused', problems: [{ recording: null, reason: 'too_little_speech', message }] }
  }
  return { type: 'measured', voice: measureVoice(join(recordings)) }
}

function join(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
