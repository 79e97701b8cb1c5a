import type { CallEnded } from '../carrier.ts'

/** How and by whom a call is ended. */
export type CallEnding = Pick<CallEnded, 'outcome' | 'endedBy' | 'sipStatus'>

/** What the simulated phone does with a call. */
export interface PhoneBehaviour {
  /** How the call ends instead of being answered: at once, or after it rang. */
  readonly refuses?: { readonly rings: boolean; readonly ending: CallEnding }
  /** Rings until the caller gives up. */
  readonly neverAnswers?: true
  /** Ends the call by itself, so long after its answer. */
  readonly ends?: { readonly afterMs: number; readonly ending: CallEnding }
  /** Presses these keys: the first so long after the answer, then one an interval. */
  readonly presses?: { readonly digits: string; readonly afterMs: number; readonly everyMs: number }
  /** Says back every frame it hears. */
  readonly echoes?: true
}

/** One number of {@link LOOPBACK_TEST_NUMBERS}. */
export interface LoopbackTestNumber {
  readonly number: string
  /** One sentence for documentation. */
  readonly does: string
  readonly behaviour: PhoneBehaviour
}

/**
 * The numbers at which the loopback phone does something of its own. Any other number rings, answers, listens in
 * silence and never hangs up.
 *
 * @example
 * carrier.dial({ to: LOOPBACK_TEST_NUMBERS.busy.number, callId, ringTimeoutMs: 45_000, maxDurationMs: 900_000 })
 */
export const LOOPBACK_TEST_NUMBERS = {
  busy: {
    number: '+15005550001',
    does: 'Is busy: does not ring, ends as `busy`.',
    behaviour: { refuses: { rings: false, ending: { outcome: 'busy', endedBy: 'callee', sipStatus: 486 } } },
  },
  rejects: {
    number: '+15005550002',
    does: 'Rings, then rejects the call: ends as `rejected`.',
    behaviour: {
      refuses: { rings: true, ending: { outcome: 'rejected', endedBy: 'callee', sipStatus: 603 } },
    },
  },
  neverAnswers: {
    number: '+15005550003',
    does: 'Rings and is never answered: ends as `no_answer` at the ring time-out.',
    behaviour: { neverAnswers: true },
  },
  lineDrops: {
    number: '+15005550004',
    does: 'Answers; the line drops 2 s later: ends as `carrier_error`.',
    behaviour: { ends: { afterMs: 2000, ending: { outcome: 'carrier_error', endedBy: 'carrier' } } },
  },
  pressesDigits: {
    number: '+15005550005',
    does: 'Answers and presses 1 2 3 #, beginning after 1 s, a key each 0.5 s.',
    behaviour: { presses: { digits: '123#', afterMs: 1000, everyMs: 500 } },
  },
  unreachable: {
    number: '+15005550006',
    does: 'Does not exist: ends as `unreachable` without ringing.',
    behaviour: {
      refuses: { rings: false, ending: { outcome: 'unreachable', endedBy: 'carrier', sipStatus: 404 } },
    },
  },
  hangsUp: {
    number: '+15005550007',
    does: 'Answers and hangs up 3 s later: ends as `completed`, by the callee.',
    behaviour: { ends: { afterMs: 3000, ending: { outcome: 'completed', endedBy: 'callee' } } },
  },
  echoes: {
    number: '+15005550008',
    does: 'Answers and says back every frame that it hears.',
    behaviour: { echoes: true },
  },
} as const satisfies Record<string, LoopbackTestNumber>

const behaviours = new Map<string, PhoneBehaviour>(
  Object.values(LOOPBACK_TEST_NUMBERS).map(({ number, behaviour }) => [number, behaviour]),
)

/** What the phone at this number does. */
export function behaviourOf(number: string): PhoneBehaviour {
  return behaviours.get(number) ?? {}
}
