import { FAULT, STOPPING, translateBy } from '@vaani/service-kit/http/translate-error'
import { SpeechError } from '@vaani/speech'

export const translateSpeechError = translateBy(SpeechError, {
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
})
