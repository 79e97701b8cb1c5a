import type { KycVersion, PairOutcome } from '@vaani/contracts/migration'
import type { Scores } from '../../../rules/compare/compare-scores.ts'
import { type JudgedPair, judgePair, type PairLimits, type Side } from '../../../rules/pairs/judge-pair.ts'
import { calledBack, type PairState, type SideState } from './pair-state.ts'

/** What a verification holds of a person. Kept sealed between the reads of both sides, and erased when the pair ends. */
export interface ReadValues {
  readonly scores: Scores
  readonly extracted: Side['extracted']
}

export interface ConcludeLimits extends PairLimits {
  /** Codes of reasons that come from what a deployment saw before, and not from the submission. */
  readonly historyReasons: ReadonlySet<string>
}

export interface Conclusion {
  readonly outcome: Exclude<PairOutcome, 'waiting'>
  /** Null if nothing was sent. */
  readonly judged: JudgedPair | null
  readonly sides: Readonly<Record<KycVersion, Side>> | null
}

/** Judges a pair that is over. */
export function conclude(
  pair: PairState,
  values: Readonly<Partial<Record<KycVersion, ReadValues>>>,
  limits: ConcludeLimits,
): Conclusion {
  if (pair.notSent !== null) return { outcome: 'not_sent', judged: null, sides: null }
  const sides = { v1: toSide(pair.sides.v1, values.v1, limits), v2: toSide(pair.sides.v2, values.v2, limits) }
  const judged = judgePair(sides.v1, sides.v2, limits)
  return { outcome: outcomeOf(sides, judged), judged, sides }
}

function toSide(side: SideState, values: ReadValues | undefined, limits: ConcludeLimits): Side {
  return {
    ending: comparedEnding(side, limits.historyReasons),
    errorCode: side.errorCode,
    scores: values?.scores ?? {},
    extracted: values?.extracted ?? null,
    isIdConfirmed: side.isIdConfirmed,
    hasCalledBack: calledBack(side),
    answerMs: side.answerMs,
    decisionMs: side.decisionMs,
  }
}

/**
 * The ending without what the deployment saw before. The two have seen different submissions: the account of the shadow, for one,
 * only a sample. So a decision whose every reason is of that kind says nothing of the version, and without them it is an approval.
 */
function comparedEnding(
  { ending, reasonCodes }: SideState,
  historyReasons: ReadonlySet<string>,
): Side['ending'] {
  const isByHistory = reasonCodes.length > 0 && reasonCodes.every((code) => historyReasons.has(code))
  if (isByHistory && (ending === 'review' || ending === 'declined')) return 'approved'
  // A pair ends only when both sides have an ending.
  return ending ?? 'unfinished'
}

/** The first that is true, in the order of the contract. */
function outcomeOf({ v1, v2 }: Record<KycVersion, Side>, judged: JudgedPair): Conclusion['outcome'] {
  if (v1.ending === 'failed') return 'primary_failed'
  if (v2.ending === 'failed') return 'candidate_failed'
  if (v1.ending === 'unfinished' || v2.ending === 'unfinished') return 'unfinished'
  if (v1.isIdConfirmed === false || v2.isIdConfirmed === false) return 'unreadable'
  if (judged.severity !== null) return 'mismatched'
  return v2.hasCalledBack === false ? 'callback_missing' : 'agreed'
}
