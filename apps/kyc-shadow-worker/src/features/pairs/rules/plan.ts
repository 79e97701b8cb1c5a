import type { KycVersion } from '@vaani/contracts/migration'
import { type Deployment, MAX_LOOKS } from './schedules.ts'
import { type PairState, type SideState, withSide } from './pair-state.ts'

/** How long a pair waits for what, and what can be read. */
export interface PlanLimits {
  /** Media older than this is not sent any more. */
  readonly mediaMs: number
  /** From a submission's answer to its decision. */
  readonly decisionMs: number
  /** From a decision to its callback. */
  readonly callbackMs: number
  /** Whether there is a key that reads verifications of callers there. What the shadow sent can always be read. */
  readonly canReadOfCallers: Readonly<Record<Deployment, boolean>>
}

/** What happens to a pair next, and when at the earliest. `wait` needs nothing but time, or a callback. */
export type Step =
  | { readonly do: 'send' | 'look' | 'read_back'; readonly version: KycVersion; readonly atMs: number }
  | { readonly do: 'wait'; readonly atMs: number }
  | { readonly do: 'end' }

const VERSIONS = ['v1', 'v2'] as const

/** Which deployment has the submission of a side. Both runs of a noise pair are at the primary. */
export const deploymentOf = ({ kind }: Pick<PairState, 'kind'>, version: KycVersion): Deployment =>
  version === 'v1' || kind === 'noise' ? 'primary' : 'candidate'

const canRead = (pair: PairState, version: KycVersion, limits: PlanLimits): boolean =>
  pair.sides[version].sentBy === 'shadow' || limits.canReadOfCallers[deploymentOf(pair, version)]

/** Whether a side still has to be submitted, for which its media is needed. */
const isUnsent = ({ sentBy, answeredAtMs, ending }: SideState): boolean =>
  sentBy === 'shadow' && answeredAtMs === null && ending === null

export const needsMedia = (pair: PairState): boolean =>
  pair.notSent === null && VERSIONS.some((version) => isUnsent(pair.sides[version]))

/** Whether the decision of an accepted submission is not known yet. */
const isUndecided = (side: SideState): boolean => side.answeredAtMs !== null && side.ending === null

const mediaEndsAt = (pair: PairState, { mediaMs }: PlanLimits): number => pair.receivedAtMs + mediaMs
const decisionEndsAt = (side: SideState, { decisionMs }: PlanLimits): number =>
  (side.answeredAtMs ?? 0) + decisionMs

/** When the callback of a side counts as missing; null if none is waited for. A review has none until a person decides it. */
function callbackEndsAt(side: SideState, { callbackMs }: PlanLimits): number | null {
  const { isCallbackDue, hasCalledBack, ending, decidedAtMs } = side
  if (!isCallbackDue || hasCalledBack || decidedAtMs === null) return null
  return ending === 'approved' || ending === 'declined' ? decidedAtMs + callbackMs : null
}

/** Lets time pass: what did not happen in its window becomes a fact. */
export function advance<Pair extends PairState>(pair: Pair, limits: PlanLimits, nowMs: number): Pair {
  let moved = pair
  if (needsMedia(pair) && nowMs >= mediaEndsAt(pair, limits)) moved = { ...moved, notSent: 'too_old' }
  for (const version of VERSIONS) {
    const side = moved.sides[version]
    if (isUndecided(side) && nowMs >= decisionEndsAt(side, limits))
      moved = withSide(moved, version, { ending: 'unfinished', notBeforeMs: nowMs })
  }
  return moved
}

/** Decides what to do next with a pair, after `advance` for the same time. */
export function nextStep(pair: PairState, limits: PlanLimits, nowMs: number): Step {
  if (pair.notSent !== null) return { do: 'end' }
  // In order, because v1 gets a replay first.
  for (const version of VERSIONS)
    if (isUnsent(pair.sides[version]))
      return { do: 'send', version, atMs: Math.max(pair.sides[version].notBeforeMs, nowMs) }
  return (
    earliest(
      VERSIONS.filter((version) => isUndecided(pair.sides[version])).map((version) =>
        lookOrWait(pair, version, limits),
      ),
    ) ??
    waitForCallbacks(pair, limits, nowMs) ??
    readBack(pair, limits) ?? { do: 'end' }
  )
}

type TimedStep = Exclude<Step, { do: 'end' }>

const earliest = (steps: readonly TimedStep[]): TimedStep | null =>
  steps.toSorted((one, other) => one.atMs - other.atMs)[0] ?? null

function lookOrWait(pair: PairState, version: KycVersion, limits: PlanLimits): TimedStep {
  const side = pair.sides[version]
  const endsAtMs = decisionEndsAt(side, limits)
  const mayLook =
    side.verificationId !== null &&
    !side.isReadBack &&
    side.looks < MAX_LOOKS[deploymentOf(pair, version)] &&
    canRead(pair, version, limits)
  return mayLook && side.notBeforeMs < endsAtMs
    ? { do: 'look', version, atMs: side.notBeforeMs }
    : { do: 'wait', atMs: endsAtMs }
}

function waitForCallbacks(pair: PairState, limits: PlanLimits, nowMs: number): TimedStep | null {
  const ends = VERSIONS.map((version) => callbackEndsAt(pair.sides[version], limits))
  const waiting = ends.filter((atMs) => atMs !== null).filter((atMs) => atMs > nowMs)
  return waiting.length === 0 ? null : { do: 'wait', atMs: Math.max(...waiting) }
}

/** Read last, so that what it gives is kept for no longer than both reads take. */
function readBack(pair: PairState, limits: PlanLimits): TimedStep | null {
  const version = VERSIONS.find((one) => {
    const { verificationId, isReadBack } = pair.sides[one]
    return verificationId !== null && !isReadBack && canRead(pair, one, limits)
  })
  return version === undefined ? null : { do: 'read_back', version, atMs: pair.sides[version].notBeforeMs }
}
