import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { decodeFloat32, f32le } from '@vaani/pcm-audio'
import { AudioError } from './audio-error.ts'
import type { WantedAudio } from './decode-wav.ts'
import { createSampleList } from './sample-list.ts'
import type { AudioType } from './sniff-audio.ts'

/** The only demuxer and decoders for each type, because each is attack surface. */
const ALLOWED: Readonly<Record<Exclude<AudioType, 'wav'>, { format: string; codecs: string }>> = {
  mp3: { format: 'mp3', codecs: 'mp3,mp3float' },
  ogg: { format: 'ogg', codecs: 'vorbis,opus,libvorbis,libopus,flac' },
  flac: { format: 'flac', codecs: 'flac' },
  mp4: { format: 'mov', codecs: 'aac,alac,opus,libopus' },
  webm: { format: 'matroska', codecs: 'vorbis,opus,libvorbis,libopus' },
}
/** CPU time. A minute of any of these takes under a second. */
export const PROCESSOR_SECONDS = 15
/** Wall time after which ffmpeg is stuck, because it waits only for the disk. */
const STUCK_MS = 120_000
/** Largest single allocation of ffmpeg. */
const MAX_ALLOCATION_BYTES = 64 * 1024 * 1024
/** Exit code of ffmpeg when a signal ends it. */
const ENDED_BY_SIGNAL = 255
const LAST_WORDS_LENGTH = 500
/** What ffmpeg prints before its first frame, at most. */
const FIRST_WORDS_BYTES = 64 * 1024
/** For each second of audio, ffmpeg prints at most this: some 200 bytes about a frame that is wrong, of which there are at most 47. */
const PRINTED_BYTES_PER_SECOND = 16 * 1024

export interface FfmpegOptions extends WantedAudio {
  type: keyof typeof ALLOWED
  program: string
  processorSeconds: number
}

/**
 * Decodes a file with ffmpeg, in a process of its own whose environment contains only `PATH`. For a damaged file, returns what
 * could be decoded.
 */
export async function runFfmpeg(file: string, options: FfmpegOptions): Promise<Float32Array<ArrayBuffer>> {
  const { type, sampleRateHz, maxSamples, signal, program, processorSeconds } = options
  const { format, codecs } = ALLOWED[type]
  const input = `-protocol_whitelist file,pipe -codec_whitelist ${codecs} -f ${format} -i`.split(' ')
  // Decode a little more than the limit, to see that it is exceeded.
  const seconds = maxSamples / sampleRateHz + 0.1
  const output = `-map 0:a:0 -t ${seconds} -ac 1 -ar ${sampleRateHz} -f f32le pipe:1`.split(' ')
  const limits = `-v info -hide_banner -nostats -nostdin -threads 1 -max_alloc ${MAX_ALLOCATION_BYTES} -timelimit ${processorSeconds}`
  const child = spawn(program, [...limits.split(' '), ...input, `file:${file}`, ...output], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: STUCK_MS,
    killSignal: 'SIGKILL',
    ...(signal && { signal }),
  })
  const closed = once(child, 'close')
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  let lastWords = ''
  // If it prints more, more frames are wrong than the longest audio has.
  const maxPrintedBytes = FIRST_WORDS_BYTES + seconds * PRINTED_BYTES_PER_SECOND
  let printedBytes = 0
  child.stderr.on('data', (chunk: Buffer) => {
    printedBytes += chunk.length
    if (printedBytes > maxPrintedBytes) return void child.kill('SIGKILL')
    lastWords = (lastWords + chunk.toString('latin1')).slice(-LAST_WORDS_LENGTH)
  })
  try {
    const [code, killed] = await closed
    if (printedBytes > maxPrintedBytes)
      throw new AudioError('damaged', 'is damaged: too many of its frames are wrong')
    if (killed !== null || code === ENDED_BY_SIGNAL) throw toEnding(lastWords)
  } catch (error) {
    if (signal?.aborted === true)
      throw new AudioError('aborted', 'was not decoded any further', { cause: error })
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new AudioError('decoder_missing', 'cannot be decoded here, where only WAV is supported')
    throw error
  }
  const bytes = Buffer.concat(chunks)
  const list = createSampleList(maxSamples)
  list.push(decodeFloat32(bytes.subarray(0, bytes.length & ~3), f32le))
  return list.join()
}

/** Returns an AudioError if ffmpeg exceeded its CPU time, for which the file is to blame. */
function toEnding(lastWords: string): Error {
  const number = Number(/received signal (\d+)/.exec(lastWords)?.[1])
  return number === constants.signals.SIGXCPU
    ? new AudioError('decoding_timeout', 'could not be decoded in time')
    : new Error('ffmpeg was ended by an external cause')
}
