import type { GroupDeclaration } from '../shared/group.ts'
import { sameForAll } from '../shared/rates.ts'

export const callsGroup = {
  name: 'calls',
  description: 'Voice-agent calls.',
  ids: { call: 'call_' },
  limits: {
    /** An agent's words after a call's metadata is filled in; the same as `streamInputCharacters`. */
    filledGreetingCharacters: 4096,
    scheduledCallsPerAccount: 5000,
    callDurationSeconds: 900,
    ringSeconds: 45,
    schedulePastToleranceSeconds: 60,
  },
  rateLimits: {
    place_call: {
      per: 'key',
      rates: sameForAll({ limit: 10, periodSeconds: 1 }),
      beyondSpecification: false,
    },
  },
  concurrencyLimits: {
    /**
     * Calls without `scheduled_at` that have not been dialled. A worker with 100 slots dials 1000 in ten minutes, at one
     * minute per call; calls that can wait longer should be scheduled.
     */
    waiting_calls: {
      unit: 'waiting calls',
      heldBy: 'call',
      limits: { starter: 1000, pro: 1000, enterprise: 10_000 },
      retryAfterSeconds: 5,
    },
  },
  scopes: ['calls:write', 'calls:read'],
  errors: {
    call_not_found: {
      status: 404,
      type: 'not_found_error',
      retryable: false,
      description: 'There is no such call in this account.',
    },
    invalid_phone: {
      status: 422,
      type: 'invalid_request_error',
      retryable: false,
      description: 'The number is not E.164 with a country code.',
    },
    number_barred: {
      status: 422,
      type: 'invalid_request_error',
      retryable: false,
      description:
        'No phone line dials such numbers: emergency numbers, short codes, premium rate, shared cost, pagers, personal numbers and satellites.',
    },
    outside_calling_hours: {
      status: 422,
      type: 'invalid_request_error',
      retryable: false,
      description:
        'The call is due at an hour at which people are not to be called where the number belongs.',
    },
    call_cap_reached: {
      status: 422,
      type: 'invalid_request_error',
      retryable: false,
      description:
        'The minutes, the money or the attempts at this number are used up that the operator lets the account have on phone lines in a UTC day.',
    },
  },
  events: {
    queued: 'call.queued',
    'in-progress': 'call.in_progress',
    completed: 'call.completed',
    failed: 'call.failed',
  },
} as const satisfies GroupDeclaration
