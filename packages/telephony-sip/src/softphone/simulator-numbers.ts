import type { CallEnded } from '@vaani/telephony'

/** How a call ends, and by which party. */
export type CallEnding = Pick<CallEnded, 'outcome' | 'endedBy' | 'sipStatus'>

/** Behaviour of the simulator's phone in a call. */
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
  /** Greets the caller with a hum in place of a voice, then beeps, and listens. */
  readonly greets?: { readonly greetingMs: number; readonly beepMs: number }
  /** Hangs up once it has heard this much sound since the answer. */
  readonly interrupts?: { readonly afterHearingMs: number }
  /** What happens to packets to and from the phone. */
  readonly line?: LineFaults
}

/** Faults of both directions of a line. */
export interface LineFaults {
  readonly toPhone?: PathFaults
  readonly fromPhone?: PathFaults
}

/** Faults of one direction. */
export interface PathFaults {
  /** Share of packets that are lost, from 0 to 1. */
  readonly lossFraction: number
  /** Each other packet comes later by a random delay of up to this. */
  readonly jitterMs: number
}

/** One number of {@link SIMULATOR_NUMBERS}. */
export interface SimulatorNumber {
  readonly number: string
  /** One sentence for documentation. */
  readonly does: string
  readonly behaviour: PhoneBehaviour
}

/** Loss of one packet in ten and delays of up to 80 ms: speech is understood with effort. */
const BAD: PathFaults = { lossFraction: 0.1, jitterMs: 80 }

/**
 * Numbers at which the simulator behaves specially. Any other number rings, answers, listens in silence and never hangs up.
 *
 * @example
 * carrier.dial({ to: SIMULATOR_NUMBERS.busy.number, callId, ringTimeoutMs: 45_000, maxDurationMs: 900_000 })
 */
export const SIMULATOR_NUMBERS = {
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
  voicemail: {
    number: '+15005550009',
    does: 'Answers as voicemail: a greeting of 3 s, a beep of 0.5 s, then it listens.',
    behaviour: { greets: { greetingMs: 3000, beepMs: 500 } },
  },
  badLine: {
    number: '+15005550010',
    does: 'Answers and echoes over a bad line: 10 % of packets are lost each way, the others up to 80 ms late.',
    behaviour: { echoes: true, line: { toPhone: BAD, fromPhone: BAD } },
  },
  oneWayAudio: {
    number: '+15005550011',
    does: 'Answers and hears the agent, but no packet of the callee arrives.',
    behaviour: { echoes: true, line: { fromPhone: { lossFraction: 1, jitterMs: 0 } } },
  },
  interrupts: {
    number: '+15005550012',
    does: 'Answers and hangs up in mid-sentence, after 1 s of speech: ends as `completed` by the callee.',
    behaviour: { interrupts: { afterHearingMs: 1000 } },
  },
} as const satisfies Record<string, SimulatorNumber>
