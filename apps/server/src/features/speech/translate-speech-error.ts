import { FAULT, STOPPING, translateBy } from '@vaani/service-kit/http/translate-error'
import { SpeechError } from '@vaani/speech'

export const translateSpeechError = translateBy(SpeechError, {
  language_not_supported: [
    'invalid_request',
    'language: is not spoken by this engine',
    { param: 'language' },
  ],
  voice_not_found: ['voice_not_found', 'voice: is not known to this engine', { param: 'voice' }],
  engine_busy: ['service_unavailable', 'Too many speech requests are queued', { retryAfterSeconds: 5 }],
  engine_closed: STOPPING,
  engine_failed: FAULT,
  // The caller is gone and does not read this. Must not count as a server error.
  aborted: ['invalid_request', 'The caller has hung up'],
})
