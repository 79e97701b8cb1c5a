import {
  type Contract,
  LIMITS,
  SYNTHESIS_DESCRIPTOR_HEADER,
  SYNTHESIS_VOICES,
  type SynthesisDescriptor,
} from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { disconnectSignal } from '@vaani/service-kit/http/connection/disconnect'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { streamToReceiver } from '@vaani/service-kit/http/connection/stream-to-receiver'
import { FILE_MEDIA_TYPES, synthesizeSpeech } from '@vaani/speech/synthesis'
import type { SynthesisContext } from '../context.ts'
import { jsonFile } from '../json-file.ts'

/** A receiver that reads nothing for this long is dropped. */
const IDLE_MS = 30_000
/** Maximum duration of a response after its first byte. */
const LIMIT_MS = 3_600_000
/** Semitones of a `pitch_shift` of 1. */
const PITCH_SHIFT_SEMITONES = 6
const BUFFERED_BYTES = 64 * 1024
const JSON_TYPE = 'application/json'

/** POST /v1/engine/synthesize */
export function synthesize(context: SynthesisContext): Handler<Contract['synthesis']['synthesize']> {
  return async ({ body, headers, request, reply }) => {
    const principal = principalOf(request)
    const { language, voice, ...speaker } = await context.speech.chooseSpeaker({
      principal,
      language: body.language,
      voice: body.voice,
      builtInVoices: SYNTHESIS_VOICES,
    })
    const watermark = body.enable_watermark
      ? await context.watermark.issue({
          tenant: principal,
          requestId: request.id,
          idempotencyKey: headers['idempotency-key'],
        })
      : undefined
    const speaking = synthesizeSpeech({
      ...speaker,
      renderers: context.renderers,
      text: body.text,
      model: body.model,
      voice,
      language: language.tag,
      markup: body.markup,
      emotion: body.emotion,
      speakingRate: body.speaking_rate,
      maxSeconds: LIMITS.synthesisAudioSeconds,
      pitchSemitones: PITCH_SHIFT_SEMITONES * body.pitch_shift,
      format: body.format,
      sampleRateHz: body.sample_rate,
      watermark,
      tenant: principal.accountId,
      signal: disconnectSignal(reply),
    })
    const speech = await speaking.catch((error: unknown) => {
      throw nameText(context.speech.explain(error))
    })
    reply.raw.once('close', () => speech.close())
    context.metrics.firstByte.observe({}, reply.elapsedTime / 1000)
    context.events.record('synthesis_started', {
      request_id: request.id,
      first_byte_ms: Math.round(reply.elapsedTime),
    })
    const descriptor: SynthesisDescriptor = {
      request_id: request.id,
      model: body.model,
      voice: body.voice,
      language: language.tag,
      format: body.format,
      sample_rate_hz: body.sample_rate,
      duration_seconds: Math.round(speech.durationSeconds * 1000) / 1000,
      characters: [...body.text].length,
      watermark: watermark !== undefined,
    }
    const file = { bytes: speech.bytes, chunks: speech.chunks() }
    const wanted = acceptsJson(request.headers.accept) ? jsonFile(descriptor, file) : file
    reply
      .header(SYNTHESIS_DESCRIPTOR_HEADER, JSON.stringify(descriptor))
      .header('content-type', wanted === file ? FILE_MEDIA_TYPES[body.format] : JSON_TYPE)
    if (wanted.bytes !== undefined) reply.header('content-length', wanted.bytes)
    const stream = streamToReceiver(wanted.chunks, {
      bufferedBytes: BUFFERED_BYTES,
      idleMs: IDLE_MS,
      limitMs: LIMIT_MS,
      onStuck(reason) {
        context.events.record('synthesis_aborted', { request_id: request.id, reason })
        context.metrics.stuck.add({ reason })
        reply.raw.destroy()
      },
    })
    return { status: 200, body: stream }
  }
}

/** Names the text as this route does, where other routes have an `input`. */
const nameText = (error: ApiError): ApiError =>
  error.param === 'input'
    ? new ApiError(error.code, error.message.replace(/^input:/, 'text:'), {
        param: 'text',
        cause: error.cause,
      })
    : error

/** Whether a caller names JSON and no audio. Many clients send `application/json` beside a wildcard by default. */
const acceptsJson = (accept = ''): boolean => accept.includes(JSON_TYPE) && !accept.includes('audio/')
