import { EMOTIONS, LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { TranslateError } from '@vaani/service-kit/http/refusals/handle-errors'
import { FAULT, STOPPING, translateBy } from '@vaani/service-kit/http/refusals/translate-error'
import { SpeechError } from '@vaani/speech'
import { MAX_AAC_STREAMS_PER_TENANT } from '@vaani/speech/synthesis'

/** So that the five attempts of a batch last 20 s. */
const AAC_RETRY_SECONDS = 5

const translateByCode = translateBy(SpeechError, {
  language_not_supported: [
    'invalid_request',
    'language: is not spoken by this engine',
    { param: 'language' },
  ],
  voice_not_found: ['voice_not_found', 'voice: is not known to this engine', { param: 'voice' }],
  instructions_not_supported: [
    'invalid_request',
    `instructions: must be empty or one of ${EMOTIONS.join(', ')}: this engine follows no others, and only tts-1 and tts-1-hd ignore them`,
    { param: 'instructions' },
  ],
  rate_not_supported: [
    'invalid_request',
    `speed: must be from ${LIMITS.speedMin} to ${LIMITS.speedMax}: this engine does not speak at other rates`,
    { param: 'speed' },
  ],
  nothing_to_speak: ['invalid_request', 'input: has nothing that is spoken', { param: 'input' }],
  text_refused: ['invalid_request', 'input: was refused by the speech engine', { param: 'input' }],
  speech_too_long: [
    'text_too_long',
    `text: sounds longer than ${LIMITS.synthesisAudioSeconds / 60} minutes at this rate; send it in parts`,
    { param: 'text' },
  ],
  encoder_missing: [
    'invalid_request',
    'response_format: must not be aac, because this server has no ffmpeg to encode it',
    { param: 'response_format' },
  ],
  too_many_encoders: [
    'rate_limit_exceeded',
    `response_format: this server encodes at most ${MAX_AAC_STREAMS_PER_TENANT} streams of aac of an account at a time`,
    { param: 'response_format', retryAfterSeconds: AAC_RETRY_SECONDS },
  ],
  engine_busy: ['service_unavailable', 'Too many speech requests are queued', { retryAfterSeconds: 5 }],
  engine_closed: STOPPING,
  engine_failed: FAULT,
  // The caller is gone and does not read this. Must not count as a server error.
  aborted: ['invalid_request', 'The caller has hung up'],
})

/** Passes on how long an engine asks to wait. */
export const translateSpeechError: TranslateError = (error) =>
  error instanceof SpeechError && error.retryAfterMs !== undefined
    ? new ApiError('service_unavailable', 'The speech engines are unavailable', {
        retryAfterSeconds: Math.ceil(error.retryAfterMs / 1000),
        cause: error,
      })
    : translateByCode(error)
