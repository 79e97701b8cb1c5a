import type { GroupDeclaration } from '../shared/group.ts'
import { perMinute } from '../shared/rates.ts'

export const speechGroup = {
  name: 'speech',
  description: 'Streaming speech.',
  limits: { streamInputCharacters: 4096, speedMin: 0.5, speedMax: 2 },
  rateLimits: { speech_stream: perMinute(50, 500) },
  concurrencyLimits: {
    concurrent_streams: {
      unit: 'streams',
      heldBy: 'request',
      limits: { starter: 10, pro: 50, enterprise: 500 },
      retryAfterSeconds: 1,
    },
  },
  scopes: ['speech:write'],
  errors: {
    voice_not_found: {
      status: 422,
      type: 'invalid_request_error',
      retryable: false,
      description: 'The voice is neither built in nor a cloned voice of this account.',
    },
  },
} as const satisfies GroupDeclaration
