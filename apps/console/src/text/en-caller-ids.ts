import type { OwnCallerId } from '@vaani/client'
import { enCodes } from './en-codes.ts'

/** What the console says about numbers that calls may show. */
export const enCallerIds = {
  title: 'Caller ids',
  all: 'All caller ids',
  number: 'Number',
  none: 'No caller ids yet.',
  noneHint:
    'Numbers that calls may show appear here, once a call with a code has verified them. Start with one:',
  start: 'Verify a number',
  startHint:
    'The number is called at once. A voice says a code of six digits twice, which you enter here within ten minutes. Enter only a number of your own.',
  language: 'Language of the call',
  status: 'Status',
  source: 'How',
  sources: { call: 'by a call', operator: 'by the operator' } satisfies Record<OwnCallerId['source'], string>,
  statuses: { pending: 'Waits for the code', verified: 'Verified', failed: 'Failed' } satisfies Record<
    OwnCallerId['status'],
    string
  >,
  failures: {
    ...enCodes.callFailures,
    expired: 'the code has expired',
    'too-many-attempts': 'too many wrong codes',
  } satisfies Record<NonNullable<OwnCallerId['failure_reason']>, string>,
  listen: 'The number is being called. Enter the code that the voice says.',
  testCode: (code: string) => `In test mode no phone rings. The code is ${code}.`,
  attemptsLeft: (count: number) => `Attempts left: ${count}.`,
  code: 'Code',
  verified: 'Verified',
  remove: 'Remove the caller id',
  removeHint: 'No further call may show this number. Calls that wait to be dialled with it fail.',
}
