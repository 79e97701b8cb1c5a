import {
  codePointCount,
  type Contract,
  type ErrorBody,
  SPEECH_SAMPLE_RATE_HZ,
  type SpeechFormat,
} from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { disconnectSignal } from '@vaani/service-kit/http/connection/disconnect'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { resume } from '@vaani/service-kit/resume'
import { openEventStream } from '@vaani/service-kit/http/connection/event-stream'
import { streamToReceiver } from '@vaani/service-kit/http/connection/stream-to-receiver'
import { speaksIn, supportedLanguage } from '@vaani/speech'
import { streamEncodedSpeech } from '@vaani/speech/synthesis'
import type { ModelsContext } from '../context.ts'
import { languageOfScript } from '../rules/language-of-script.ts'
import { mannerOf } from '../rules/manner.ts'
import { MODELS, voiceFor } from '../rules/openai-names.ts'
import { speechEvents } from '../speech-events.ts'

/** A receiver that reads nothing for this long is dropped. */
const IDLE_MS = 30_000
/** Maximum duration of a response, as of a speech stream. */
const LIMIT_MS = 3_600_000
const BUFFERED_BYTES = 16 * 1024
const EVENTS_TYPE = 'text/event-stream'

const MEDIA_TYPES: Readonly<Record<SpeechFormat, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: `audio/pcm;rate=${SPEECH_SAMPLE_RATE_HZ};channels=1;format=s16le`,
}

/** POST /v1/audio/speech */
export function speak({
  speech,
  renderers,
  events,
  metrics,
}: ModelsContext): Handler<Contract['models']['speech']> {
  return async ({ body, request, reply }) => {
    const principal = principalOf(request)
    const model = Object.hasOwn(MODELS, body.model) ? MODELS[body.model] : undefined
    if (model === undefined)
      throw new ApiError('invalid_request', 'model: is not a model that speaks', { param: 'model' })
    const engine = speech.requireEngine()
    const capabilities = engine.capabilities()
    const { manner, ignoresInstructions } = mannerOf(body, capabilities)
    const wanted = body.language ?? languageOfScript(body.input)
    const accent = supportedLanguage(engine, wanted)?.accent ?? wanted
    const { language, voice, ...speaker } = await speech.chooseSpeaker({
      principal,
      language: wanted,
      voice: voiceFor(typeof body.voice === 'string' ? body.voice : body.voice.id, (name) =>
        speaksIn(capabilities, accent, name),
      ),
      builtInVoices: capabilities.voices,
    })
    const signal = disconnectSignal(reply)
    const audio = streamEncodedSpeech({
      ...speaker,
      renderers,
      text: body.input,
      model,
      voice,
      language: language.tag,
      markup: body.markup,
      ...manner,
      format: body.response_format,
      tenant: principal.accountId,
      signal,
    })
    const isEvents = body.stream_format === 'sse'
    const chunks = isEvents ? speechEvents(audio, codePointCount(body.input)) : audio
    const first = chunks.next()
    first.then(onFirstAudio, () => undefined)
    const audible = resume(first, chunks)
    // Audio has no comments: its headers wait for the first of it, so that an engine fault is still an error response.
    if (!isEvents) await first
    const sent = isEvents ? await openEventStream(audible, { first, toErrorBody }) : audible
    function onFirstAudio(): void {
      metrics.firstByte.observe({}, reply.elapsedTime / 1000)
      events.record('speech_started', {
        request_id: request.id,
        first_byte_ms: Math.round(reply.elapsedTime),
      })
    }
    function toErrorBody(error: unknown): ErrorBody {
      const apiError = speech.explain(error)
      if (!signal.aborted) events.record('speech_broken_off', { request_id: request.id, code: apiError.code })
      return apiError.toBody(request.id)
    }
    reply
      .header('content-type', isEvents ? EVENTS_TYPE : MEDIA_TYPES[body.response_format])
      .header('content-language', language.tag)
    if (ignoresInstructions) reply.header('instructions-ignored', 'true')
    const stream = streamToReceiver(sent, {
      bufferedBytes: BUFFERED_BYTES,
      idleMs: IDLE_MS,
      limitMs: LIMIT_MS,
      onStuck(reason) {
        events.record('speech_aborted', { request_id: request.id, reason })
        metrics.stuck.add({ reason })
        reply.raw.destroy()
      },
    })
    return { status: 200, body: stream }
  }
}
