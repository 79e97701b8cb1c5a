import type { GroupDeclaration } from '../shared/group.ts'
import { DAY_SECONDS, perMinute } from '../shared/rates.ts'

export const callerIdsGroup = {
  name: 'callerIds',
  description: 'Numbers that the account’s calls may show.',
  limits: {
    callerIdCodeDigits: 6,
    /** Wrong codes after which a verification fails. */
    callerIdCodeAttempts: 5,
    callerIdCodeMinutes: 10,
    /** Verification calls to one number in 24 hours, by all accounts of the server together. */
    callerIdCallsPerDay: 3,
  },
  rateLimits: {
    caller_id_calls: {
      per: 'account',
      rates: {
        starter: { limit: 5, periodSeconds: DAY_SECONDS },
        pro: { limit: 20, periodSeconds: DAY_SECONDS },
        enterprise: { limit: 100, periodSeconds: DAY_SECONDS },
      },
      counted: 'accepted',
      beyondSpecification: true,
    },
    caller_id_changes: perMinute(30, 300, true),
  },
  errors: {
    incorrect_code: {
      status: 422,
      type: 'invalid_request_error',
      retryable: false,
      description: 'The code is not the one that the call said.',
    },
  },
} as const satisfies GroupDeclaration
