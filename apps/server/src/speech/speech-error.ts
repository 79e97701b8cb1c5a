import { SpeechError, type SpeechErrorCode } from '@vaani/speech'
import { ApiError } from '../http/api-error.ts'

/** Null: a fault of ours. */
const API_ERRORS: Readonly<Record<SpeechErrorCode, (() => ApiError) | null>> = {
  language_not_supported: () =>
    new ApiError('invalid_request', 'language: is not spoken by this engine', { param: 'language' }),
  voice_not_found: () =>
    new ApiError('voice_not_found', 'voice: is not known to this engine', { param: 'voice' }),
  engine_busy: () =>
    new ApiError('service_unavailable', 'Too much speech waits to begin', { retryAfterSeconds: 5 }),
  engine_closed: () =>
    new ApiError('service_unavailable', 'The server is stopping', { retryAfterSeconds: 5 }),
  engine_failed: null,
  aborted: null,
}

/** What a caller is answered if speech fails before its first sound. */
export const toSpeechApiError = (error: unknown): unknown =>
  error instanceof SpeechError ? (API_ERRORS[error.code]?.() ?? error) : error
