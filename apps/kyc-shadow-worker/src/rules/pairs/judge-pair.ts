import type { ScoreName } from '@vaani/contracts'
import {
  type ConditionName,
  type Ending,
  FIELD_NAMES,
  type FieldClass,
  type FieldName,
  type Severity,
} from '@vaani/contracts/migration'
import { compareField } from '../compare/compare-fields.ts'
import { findDifferentScores, type Scores, type Tolerances } from '../compare/compare-scores.ts'
import { isAtLeast, severityOf } from '../compare/severities.ts'

/** What became of a submission at one deployment. */
export interface Side {
  readonly ending: Ending
  /** Code of a refusal; null without one. */
  readonly errorCode: string | null
  readonly scores: Scores
  readonly extracted: Partial<Record<FieldName, string | null>> | null
  /** Whether the id could be read back from the status path; null if there is none. */
  readonly isIdConfirmed: boolean | null
  /** Null if no callback was due. */
  readonly hasCalledBack: boolean | null
  /** From the last byte of the request to the answer; null without an answer. */
  readonly answerMs: number | null
  /** From the answer to the decision; null without one. */
  readonly decisionMs: number | null
}

export interface PairLimits {
  readonly answerMs: number
  readonly decisionMs: number
  readonly tolerances: Tolerances
}

/** A pair as it is kept: no value of a person is in it. */
export interface JudgedPair {
  readonly severity: Severity | null
  /** Whether both refused, with different codes. */
  readonly differsInCode: boolean
  readonly differentScores: readonly ScoreName[]
  readonly fields: Readonly<Partial<Record<FieldName, FieldClass>>>
  /** Each condition for which this pair is a trial: whether the event happened. */
  readonly trials: Readonly<Partial<Record<ConditionName, boolean>>>
}

const FAILED: readonly Ending[] = ['failed', 'unfinished']

/** Compares the two sides of a pair that is over. */
export function judgePair(primary: Side, candidate: Side, limits: PairLimits): JudgedPair {
  const severity = severityOf(primary.ending, candidate.ending)
  const haveBothRead = primary.extracted !== null && candidate.extracted !== null
  return {
    severity,
    differsInCode:
      primary.ending === 'refused' &&
      candidate.ending === 'refused' &&
      primary.errorCode !== candidate.errorCode,
    differentScores: haveBothRead
      ? findDifferentScores(primary.scores, candidate.scores, limits.tolerances)
      : [],
    fields: haveBothRead ? compareFields(primary.extracted, candidate.extracted) : {},
    trials: tryConditions(primary, candidate, severity, limits),
  }
}

function tryConditions(
  primary: Side,
  candidate: Side,
  severity: Severity | null,
  { answerMs, decisionMs }: PairLimits,
): JudgedPair['trials'] {
  // A pair in which a side failed has no two decisions to compare.
  const areBothDecided = !FAILED.includes(primary.ending) && !FAILED.includes(candidate.ending)
  return {
    ...(areBothDecided && {
      worst_mismatches: severity === 'worst',
      serious_mismatches: severity !== null && isAtLeast(severity, 'serious'),
      mild_mismatches: severity !== null,
    }),
    candidate_errors: candidate.ending === 'failed' && primary.ending !== 'failed',
    unfinished_pairs: candidate.ending === 'unfinished' && primary.ending !== 'unfinished',
    ...(candidate.isIdConfirmed !== null && { unconfirmed_ids: !candidate.isIdConfirmed }),
    ...(candidate.hasCalledBack !== null && { missing_callbacks: !candidate.hasCalledBack }),
    ...(candidate.answerMs !== null && { slow_answers: candidate.answerMs > answerMs }),
    ...(candidate.decisionMs !== null && { slow_decisions: candidate.decisionMs > decisionMs }),
  }
}

function compareFields(
  primary: NonNullable<Side['extracted']>,
  candidate: NonNullable<Side['extracted']>,
): Partial<Record<FieldName, FieldClass>> {
  const fields: Partial<Record<FieldName, FieldClass>> = {}
  for (const name of FIELD_NAMES) fields[name] = compareField(name, primary[name], candidate[name])
  return fields
}
