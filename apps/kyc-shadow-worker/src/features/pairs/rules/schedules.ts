export const DEPLOYMENTS = ['primary', 'candidate'] as const
export type Deployment = (typeof DEPLOYMENTS)[number]

/**
 * Most reads of a verification's status before it is read back. Callers share the reads of the primary, of which a verification
 * has 120. At the candidate, they leave some for the read back.
 */
export const MAX_LOOKS: Readonly<Record<Deployment, number>> = { primary: 12, candidate: 110 }

const SECOND_MS = 1000
const HOUR_MS = 3_600_000

interface LookSchedule {
  readonly firstMs: number
  /** Looks at the first interval, before they grow. */
  readonly steady: number
  readonly growth: number
  readonly longestMs: number
}

/** Both reach beyond a day. */
const LOOKS: Readonly<Record<Deployment, LookSchedule>> = {
  primary: { firstMs: 3 * SECOND_MS, steady: 1, growth: 2.4, longestMs: 12 * HOUR_MS },
  candidate: { firstMs: 5 * SECOND_MS, steady: 60, growth: 1.3, longestMs: HOUR_MS },
}

/** Spread of the intervals, so that pairs that began together do not stay together. */
const JITTER = 0.2

/** When to look first if a callback will come: most come before that. */
const FIRST_LOOK_AFTER_CALLBACK_MS = 20 * SECOND_MS

/**
 * @param looks how many there were
 * @param random from 0 to 1
 */
export function lookDelayMs(
  deployment: Deployment,
  looks: number,
  { isCallbackDue, random }: { isCallbackDue: boolean; random: number },
): number {
  const { firstMs, steady, growth, longestMs } = LOOKS[deployment]
  if (looks === 0 && isCallbackDue) return jittered(FIRST_LOOK_AFTER_CALLBACK_MS, random)
  return jittered(Math.min(firstMs * growth ** Math.max(0, looks + 1 - steady), longestMs), random)
}

/** Failed attempts of a submission after which the side counts as failed. */
export const MAX_FAULTS = 4
const LONGEST_RETRY_MS = 60 * SECOND_MS

/** Delay of the next attempt after this many failed ones, or as long as the deployment asks, within a bound. */
export const retryDelayMs = (faults: number, retryAfterMs: number | null, random: number): number =>
  retryAfterMs === null
    ? jittered(Math.min(SECOND_MS * 4 ** Math.max(0, faults - 1), LONGEST_RETRY_MS), random)
    : Math.min(retryAfterMs, 10 * LONGEST_RETRY_MS)

/** Reads in a row that must find nothing before an id counts as one that cannot be read back. */
export const MAX_MISSES = 3
/** Failed reads of other kinds. */
export const MAX_READ_BACKS = 6

const jittered = (ms: number, random: number): number => Math.round(ms * (1 - JITTER + 2 * JITTER * random))
