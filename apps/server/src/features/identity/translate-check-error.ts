import { CheckRunError } from '@vaani/identity-checks'
import { FAULT, translateBy } from '@vaani/service-kit/http/refusals/translate-error'

export const translateCheckError = translateBy(CheckRunError, {
  busy: ['service_unavailable', 'Too many checks are queued', { retryAfterSeconds: 5 }],
  failed: FAULT,
  engine: FAULT,
  aborted: ['invalid_request', 'The request was aborted'],
})
