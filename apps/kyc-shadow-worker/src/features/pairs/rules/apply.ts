import type { KycVersion } from '@vaani/contracts/migration'
import { deploymentOf } from './plan.ts'
import { lookDelayMs, MAX_FAULTS, MAX_MISSES, MAX_READ_BACKS, retryDelayMs } from './schedules.ts'
import { type PairState, type SideState, withSide } from './pair-state.ts'

/** A verification as a deployment reports it. */
export interface Reported {
  readonly verificationId: string
  readonly decision: 'pending' | 'approved' | 'review' | 'declined'
  readonly reasonCodes: readonly string[]
  /** By the deployment's own clock; null without both times. */
  readonly decisionMs: number | null
}

/** What came of a submission by the shadow. */
export type SendResult =
  | { readonly result: 'accepted'; readonly reported: Reported; readonly answerMs: number | null }
  | { readonly result: 'refused'; readonly errorCode: string | null; readonly answerMs: number }
  | { readonly result: 'failed'; readonly answerMs: number | null }
  /** To be sent again. `isFault`: the deployment's fault, or a lost answer, and not a limit or a key of ours. */
  | {
      readonly result: 'again'
      readonly isFault: boolean
      /** Null without an answer. */
      readonly status: number | null
      readonly retryAfterMs: number | null
    }

/** What came of a read. */
export type ReadResult =
  | { readonly result: 'found'; readonly reported: Reported }
  | { readonly result: 'missing' }
  /** `forbidden`: by the key or the limit of reads, which says nothing of the id. */
  | { readonly result: 'forbidden' }
  | { readonly result: 'failed'; readonly retryAfterMs: number | null }

interface Moment {
  readonly nowMs: number
  /** From 0 to 1. */
  readonly random: number
}

export function applySend<Pair extends PairState>(
  pair: Pair,
  version: KycVersion,
  sent: SendResult,
  { isCallbackDue, ...moment }: Moment & { isCallbackDue: boolean },
): Pair {
  const { nowMs, random } = moment
  const side = pair.sides[version]
  if (side.answeredAtMs !== null) return addAnswer(pair, version, sent)
  const answered = { answeredAtMs: nowMs }
  switch (sent.result) {
    case 'accepted': {
      const { verificationId } = sent.reported
      const due = { isCallbackDue }
      const accepted = withSide(pair, version, {
        ...answered,
        ...due,
        answerMs: sent.answerMs,
        verificationId,
        notBeforeMs: nowMs + lookDelayMs(deploymentOf(pair, version), 0, { ...due, random }),
      })
      return applyReported(accepted, version, sent.reported, moment)
    }
    case 'refused':
      return withSide(pair, version, {
        ...answered,
        ending: 'refused',
        errorCode: sent.errorCode,
        answerMs: sent.answerMs,
      })
    case 'failed':
      return withSide(pair, version, { ...answered, ending: 'failed', answerMs: sent.answerMs })
    case 'again': {
      const faults = side.faults + (sent.isFault ? 1 : 0)
      if (faults >= MAX_FAULTS) return withSide(pair, version, { ...answered, faults, ending: 'failed' })
      return withSide(pair, version, {
        faults,
        notBeforeMs: nowMs + retryDelayMs(faults, sent.retryAfterMs, random),
      })
    }
  }
}

/** An answer that a callback came before, or that another worker got as well. */
function addAnswer<Pair extends PairState>(pair: Pair, version: KycVersion, sent: SendResult): Pair {
  const { answerMs, verificationId } = pair.sides[version]
  const isSame = sent.result === 'accepted' && sent.reported.verificationId === verificationId
  return isSame && answerMs === null ? withSide(pair, version, { answerMs: sent.answerMs }) : pair
}

/** The first decision that is not `pending` counts; a person's decision of a review comes later and is not compared. */
function applyReported<Pair extends PairState>(
  pair: Pair,
  version: KycVersion,
  { decision, reasonCodes, decisionMs }: Reported,
  { nowMs }: Moment,
): Pair {
  if (decision === 'pending' || pair.sides[version].ending !== null) return pair
  return withSide(pair, version, {
    ending: decision,
    reasonCodes,
    decisionMs,
    decidedAtMs: nowMs,
    // The read back needs no delay.
    notBeforeMs: nowMs,
  })
}

/** A signed callback, which is also how the id of a submission becomes known whose answer was lost. */
export function applyCallback<Pair extends PairState>(
  pair: Pair,
  version: KycVersion,
  reported: Reported,
  moment: Moment,
): Pair {
  const side = pair.sides[version]
  const { verificationId } = reported
  if (side.verificationId !== null && side.verificationId !== verificationId) return pair
  const known: Partial<SideState> =
    side.verificationId === null
      ? { verificationId, answeredAtMs: side.answeredAtMs ?? moment.nowMs, isCallbackDue: true }
      : {}
  return applyReported(withSide(pair, version, { ...known, hasCalledBack: true }), version, reported, moment)
}

export function applyLook<Pair extends PairState>(
  pair: Pair,
  version: KycVersion,
  read: ReadResult,
  moment: Moment,
): Pair {
  const { nowMs, random } = moment
  const side = pair.sides[version]
  const looks = side.looks + 1
  const delayMs = lookDelayMs(deploymentOf(pair, version), looks, { ...side, random })
  const asked = read.result === 'failed' ? (read.retryAfterMs ?? 0) : 0
  const misses = read.result === 'missing' ? side.misses + 1 : 0
  // Without its verification there is nothing more to read, but a callback may still come.
  const isGone = misses >= MAX_MISSES
  const looked = withSide(pair, version, {
    looks,
    misses,
    notBeforeMs: nowMs + Math.max(delayMs, asked),
    ...(isGone && { isReadBack: true, isIdConfirmed: false }),
  })
  return read.result === 'found' ? applyReported(looked, version, read.reported, moment) : looked
}

export function applyReadBack<Pair extends PairState>(
  pair: Pair,
  version: KycVersion,
  read: ReadResult,
  { nowMs, random }: Moment,
): Pair {
  const side = pair.sides[version]
  const readBacks = side.readBacks + 1
  const misses = side.misses + 1
  const later = { readBacks, notBeforeMs: nowMs + retryDelayMs(readBacks, null, random) }
  switch (read.result) {
    case 'found':
      return withSide(pair, version, {
        readBacks,
        isReadBack: true,
        isIdConfirmed: read.reported.verificationId === side.verificationId,
      })
    case 'forbidden':
      return withSide(pair, version, { readBacks, isReadBack: true })
    case 'missing':
      return withSide(
        pair,
        version,
        misses >= MAX_MISSES
          ? { readBacks, misses, isReadBack: true, isIdConfirmed: false }
          : { ...later, misses },
      )
    case 'failed':
      return withSide(
        pair,
        version,
        readBacks >= MAX_READ_BACKS ? { readBacks, isReadBack: true, isIdConfirmed: false } : later,
      )
  }
}
