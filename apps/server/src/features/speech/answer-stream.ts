import { PCM_STREAM, STREAM_DESCRIPTOR_HEADER, type StreamDescriptor } from '@vaani/contracts'
import { pcm16Bytes, wavHeader } from '@vaani/pcm-audio'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { disconnectSignal } from '@vaani/service-kit/http/connection/disconnect'
import { streamToReceiver } from '@vaani/service-kit/http/connection/stream-to-receiver'
import { type EngineLanguage, streamSpeech } from '@vaani/speech'
import { audioChunks } from './audio-chunks.ts'
import type { SpeechContext } from './context.ts'
import type { SpeechPort, StreamAnswer, StreamRequest } from './port.ts'

/** A receiver that reads nothing for this long is dropped. */
const IDLE_MS = 30_000
/** Maximum duration of a stream. The longest input of ordinary text, at the slowest speed, lasts a quarter of this. */
const LIMIT_MS = 3_600_000
const BUFFERED_BYTES = 16 * PCM_STREAM.bytesPerFrame
const WAV = 'audio/wav'
const PCM = `audio/pcm;rate=${PCM_STREAM.sampleRateHz};channels=1;format=s16le`

type Needs = Pick<SpeechContext, 'clock' | 'events' | 'metrics'> & Pick<SpeechPort, 'chooseSpeaker'>

/** Answers a request with its text as speech, in frames or as WAV, as soon as the first audio is ready. */
export async function answerStream(
  { chooseSpeaker, clock, events, metrics }: Needs,
  { request, reply, body, builtInVoices, model }: StreamRequest,
): Promise<StreamAnswer> {
  const principal = principalOf(request)
  const { language, voice, ...speaker } = await chooseSpeaker({
    principal,
    language: body.language,
    voice: body.voice,
    builtInVoices,
  })
  const frames = streamSpeech({
    ...speaker,
    text: body.input,
    voice,
    language: language.tag,
    markup: body.markup,
    emotion: body.emotion,
    speed: body.speed,
    tenant: principal.accountId,
    signal: disconnectSignal(reply),
    ...(model !== undefined && { model }),
  })[Symbol.asyncIterator]()
  // Send the headers after the first audio, so that they contain its measured delay and an engine fault is still a 500.
  const first = await frames.next()
  const firstByteMs = Math.round(reply.elapsedTime)
  metrics.firstByte.observe({}, reply.elapsedTime / 1000)
  const descriptor = describeStream({ requestId: request.id, firstByteMs, language, body })
  events.record('stream_started', { request_id: request.id, first_byte_ms: firstByteMs })
  const wantsWav = request.headers.accept?.includes(WAV) === true
  reply
    .header(STREAM_DESCRIPTOR_HEADER, asciiOnly(JSON.stringify(descriptor)))
    .header('content-type', wantsWav ? WAV : PCM)
  const header = wantsWav ? wavHeader({ sampleRateHz: PCM_STREAM.sampleRateHz }) : undefined
  const stream = streamToReceiver(
    audioChunks({ first, rest: frames, header, toBytes: pcm16Bytes, nowMs: clock.nowMs }),
    {
      bufferedBytes: BUFFERED_BYTES,
      idleMs: IDLE_MS,
      limitMs: LIMIT_MS,
      onStuck(reason) {
        events.record('stream_aborted', { request_id: request.id, reason })
        metrics.stuck.add({ reason })
        reply.raw.destroy()
      },
    },
  )
  return { status: 200, body: stream }
}

/** Describes a stream whose first audio is ready. */
export function describeStream(stream: {
  requestId: string
  firstByteMs: number
  language: EngineLanguage
  body: { model: string; voice: string }
}): StreamDescriptor {
  const { requestId, firstByteMs, language, body } = stream
  return {
    note: language.note ?? 'Play the frames as they arrive',
    first_byte_ms: firstByteMs,
    format: 'pcm16',
    sample_rate_hz: PCM_STREAM.sampleRateHz,
    request_id: requestId,
    model: body.model,
    voice: body.voice,
  }
}

/** Replaces non-ASCII characters, because header values are Latin-1 at best. */
const asciiOnly = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')
