import { ApiError } from '@vaani/service-kit/http/api-error'
import type { SpeechEngine } from '@vaani/speech'
import type { AppContext } from '../../context.ts'

export function requireEngine(context: AppContext): SpeechEngine {
  if (context.engine === null)
    throw new ApiError('service_unavailable', 'No speech engine is installed on this server', {
      retryAfterSeconds: 60,
    })
  return context.engine
}
