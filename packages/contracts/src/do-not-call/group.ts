import type { GroupDeclaration } from '../shared/group.ts'
import { perMinute } from '../shared/rates.ts'

export const doNotCallGroup = {
  name: 'doNotCall',
  description: 'Numbers that are never called.',
  ids: { listed_number: 'dnc_' },
  limits: {
    /** Lines of a CSV file that is imported, its header included. */
    doNotCallImportLines: 10_000,
    /** Size of a JSON body with such a file. */
    doNotCallImportBytes: 1_048_576,
    /** Refused lines that the answer to an import describes. */
    doNotCallImportErrors: 1000,
  },
  rateLimits: { do_not_call_changes: perMinute(60, 600, true) },
  scopes: ['do_not_call:write', 'do_not_call:read'],
  errors: {
    do_not_call: {
      status: 422,
      type: 'invalid_request_error',
      retryable: false,
      description: 'The number is on a do-not-call list of the account or of the server.',
    },
  },
} as const satisfies GroupDeclaration
