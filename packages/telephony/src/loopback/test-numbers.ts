import type { CallEnded } from '../carrier.ts'

/** How a call ends, and by which party. */
export type CallEnding = Pick<CallEnded, 'outcome' | 'endedBy' | 'sipStatus'>

/** Behaviour of the simulated phone in a call. */
export interface PhoneBehaviour {
  /** Ends the call instead of answering it: at once, or after ringing. */
  readonly refuses?: { readonly rings: boolean; readonly ending: CallEnding }
  /** Rings until the caller gives up. */
  readonly neverAnswers?: true
  /** Ends the call `afterMs` after its answer. */
  readonly ends?: { readonly afterMs: number; readonly ending: CallEnding }
  /** Presses these keys: the first `afterMs` after the answer, then one each `everyMs`. */
  readonly presses?: { readonly digits: string; readonly afterMs: number; readonly everyMs: number }
  /** Echoes every frame that it hears. */
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
 * Numbers at which the loopback phone behaves specially. Any other number rings, answers, listens in silence and never
 * hangs up.
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
    does: 'Rings and is never answered: ends as `no_answer` at the ring timeout.',
    behaviour: { neverAnswers: true },
  },
  lineDrops: {
    number: '+15005550004',
    does: 'Answers; the line drops 2 s later: ends as `carrier_error`.',
    behaviour: { ends: { afterMs: 2000, ending: { outcome: 'carrier_error', endedBy: 'carrier' } } },
  },
  pressesDigits: {
    number: '+15005550005',
    does: 'Answers and presses 1 2 3 #: the first key after 1 s, then one every 0.5 s.',
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
    does: 'Answers and hangs up 3 s later: ends as `completed` by the callee.',
    behaviour: { ends: { afterMs: 3000, ending: { outcome: 'completed', endedBy: 'callee' } } },
  },
  echoes: {
    number: '+15005550008',
    does: 'Answers and echoes every frame that it hears.',
    behaviour: { echoes: true },
  },
} as const satisfies Record<string, LoopbackTestNumber>

const behaviours = new Map<string, PhoneBehaviour>(
  Object.values(LOOPBACK_TEST_NUMBERS).map(({ number, behaviour }) => [number, behaviour]),
)

/** Returns the behaviour of the phone at this number. */
export function behaviourOf(number: string): PhoneBehaviour {
  return behaviours.get(number) ?? {}
}
