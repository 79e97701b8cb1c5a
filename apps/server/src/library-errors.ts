import type { ErrorCode } from '@vaani/contracts'
import { CheckRunError } from '@vaani/identity-checks'
import { ApiError, type ApiErrorOptions } from '@vaani/service-kit/http/api-error'
import { SpeechError } from '@vaani/speech'
import { CarrierError } from '@vaani/telephony'

type Answer = readonly [ErrorCode, string, Pick<ApiErrorOptions, 'param' | 'retryAfterSeconds'>?]
/** An answer for each code of an error; a code without one does not compile. */
type Answers<Failure extends { code: string }> = Readonly<Record<Failure['code'], Answer>>

const FAULT: Answer = ['internal_error', 'The service failed; report the request id']
const STOPPING: Answer = ['service_unavailable', 'The server is stopping', { retryAfterSeconds: 5 }]

const SPEECH: Answers<SpeechError> = {
  language_not_supported: [
    'invalid_request',
    'language: is not spoken by this engine',
    { param: 'language' },
  ],
  voice_not_found: ['voice_not_found', 'voice: is not known to this engine', { param: 'voice' }],
  engine_busy: ['service_unavailable', 'Too much speech waits to begin', { retryAfterSeconds: 5 }],
  engine_closed: STOPPING,
  engine_failed: FAULT,
  // Nobody reads it, and it is no fault of ours.
  aborted: ['invalid_request', 'The caller has hung up'],
}

const CHECK_RUN: Answers<CheckRunError> = {
  busy: ['service_unavailable', 'Too much waits to be checked', { retryAfterSeconds: 5 }],
  failed: FAULT,
  engine: FAULT,
}

const CARRIER: Answers<CarrierError> = {
  carrier_closed: STOPPING,
  invalid_number: FAULT,
  invalid_limit: FAULT,
  invalid_frame: FAULT,
}

/** The answer to an error of a library; null for any other error. */
export function ofLibrary(error: unknown): ApiError | null {
  const answer = answerTo(error)
  if (answer === null) return null
  const [code, message, options] = answer
  return new ApiError(code, message, { ...options, cause: error })
}

function answerTo(error: unknown): Answer | null {
  if (error instanceof SpeechError) return SPEECH[error.code]
  if (error instanceof CheckRunError) return CHECK_RUN[error.code]
  if (error instanceof CarrierError) return CARRIER[error.code]
  return null
}
