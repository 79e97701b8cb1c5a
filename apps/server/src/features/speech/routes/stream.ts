import { Readable } from 'node:stream'
import {
  type Contract,
  PCM_STREAM,
  STREAM_DESCRIPTOR_HEADER,
  STREAM_VOICES,
  type StreamDescriptor,
} from '@vaani/contracts'
import { pcm16Bytes, wavHeader } from '@vaani/pcm-audio'
import { ApiError } from '@vaani/service-kit/http/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { disconnectSignal } from '@vaani/service-kit/http/disconnect'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { streamSpeech, supportedLanguage } from '@vaani/speech'
import { audioChunks } from '../audio-chunks.ts'
import type { SpeechContext } from '../context.ts'

/** A receiver that reads nothing for this long is dropped. */
const IDLE_MS = 30_000
/** Maximum duration of a stream. The longest input of ordinary text, at the slowest speed, lasts a quarter of this. */
const LIMIT_MS = 3_600_000
const WAV = 'audio/wav'
const PCM = `audio/pcm;rate=${PCM_STREAM.sampleRateHz};channels=1;format=s16le`

/** POST /v1/audio/stream */
export function streamAudio(context: SpeechContext): Handler<Contract['speech']['stream']> {
  return async ({ body, request, reply }) => {
    const engine = context.requireEngine()
    const language = supportedLanguage(engine, body.language)
    if (language === undefined)
      throw new ApiError('invalid_request', 'language: is not spoken by this engine', { param: 'language' })
    if (!STREAM_VOICES.some((voice) => voice === body.voice))
      throw new ApiError('voice_not_found', 'voice: is neither built in nor a voice of this account', {
        param: 'voice',
      })
    const gone = disconnectSignal(reply)
    const frames = streamSpeech({
      engine,
      text: body.input,
      voice: body.voice,
      language: language.tag,
      emotion: body.emotion,
      speed: body.speed,
      tenant: principalOf(request).accountId,
      signal: gone,
    })[Symbol.asyncIterator]()
    // Send the headers after the first audio, so that they contain its measured delay and an engine fault is still a 500.
    const first = await frames.next()
    const firstByteMs = Math.round(reply.elapsedTime)
    context.metrics.firstByte.observe({}, reply.elapsedTime / 1000)
    const descriptor: StreamDescriptor = {
      note: language.note === undefined ? 'Play the frames as they arrive' : asciiOnly(language.note),
      first_byte_ms: firstByteMs,
      format: 'pcm16',
      sample_rate_hz: PCM_STREAM.sampleRateHz,
      request_id: request.id,
      model: body.model,
      voice: body.voice,
    }
    context.events.record('stream_started', { request_id: request.id, first_byte_ms: firstByteMs })
    const wantsWav = request.headers.accept?.includes(WAV) === true
    reply
      .header(STREAM_DESCRIPTOR_HEADER, JSON.stringify(descriptor))
      .header('content-type', wantsWav ? WAV : PCM)
    const header = wantsWav ? wavHeader({ sampleRateHz: PCM_STREAM.sampleRateHz }) : undefined
    const chunks = audioChunks({
      first,
      rest: frames,
      header,
      toBytes: pcm16Bytes,
      idleMs: IDLE_MS,
      limitMs: LIMIT_MS,
      onStuck(reason) {
        context.events.record('stream_aborted', { request_id: request.id, reason })
        context.metrics.stuck.add({ reason })
        reply.raw.destroy()
      },
    })
    return {
      status: 200,
      body: Readable.from(chunks, { objectMode: false, highWaterMark: 16 * PCM_STREAM.bytesPerFrame }),
    }
  }
}

/** Replaces non-ASCII characters, because header values are Latin-1 at best. */
const asciiOnly = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')
