/** How bad it is that two versions decide differently, from the mildest. */
export const SEVERITIES = ['mild', 'serious', 'worst'] as const
export type Severity = (typeof SEVERITIES)[number]

/**
 * How a submission ended. `refused`: an error of the caller's (4xx), with its code apart; `failed`: an error of the deployment's,
 * or no answer; `unfinished`: accepted, and never decided in the time allowed.
 */
export const ENDINGS = ['approved', 'review', 'declined', 'refused', 'failed', 'unfinished'] as const
export type Ending = (typeof ENDINGS)[number]

/** Rates that decide about the migration, in the order in which they are reported. */
export const CONDITION_NAMES = [
  'worst_mismatches',
  'serious_mismatches',
  'mild_mismatches',
  'candidate_errors',
  'unconfirmed_ids',
  'missing_callbacks',
  'unfinished_pairs',
  'slow_answers',
  'slow_decisions',
] as const
export type ConditionName = (typeof CONDITION_NAMES)[number]

/** `open` is neither `met` nor `broken` yet. */
export const CONDITION_STATES = ['met', 'broken', 'open'] as const
export type ConditionState = (typeof CONDITION_STATES)[number]

/** `done`: the migration is complete, and nothing is left to promote. */
export const ADVICE = ['promote', 'hold', 'roll_back', 'not_enough_evidence', 'done'] as const
export type Advice = (typeof ADVICE)[number]

/** How a field that both versions read compares. Only this is kept of it, and keyed hashes: never its value. */
export const FIELD_CLASSES = [
  'equal',
  // After folding case, diacritics and script, or leaving out what separates.
  'equal_folded',
  // A name of the same words in another order.
  'reordered',
  'only_primary',
  'only_candidate',
  'different',
] as const
export type FieldClass = (typeof FIELD_CLASSES)[number]

/** The fields that are compared. The machine-readable zone is left out: it holds the same values once more. */
export const FIELD_NAMES = [
  'document_type',
  'document_number',
  'full_name',
  'surname',
  'given_names',
  'date_of_birth',
  'expiry_date',
  'nationality',
  'issuing_country',
  'sex',
] as const
export type FieldName = (typeof FIELD_NAMES)[number]

/** `noise`: both sides are v1, to learn how often it differs from itself. */
export const PAIR_KINDS = ['comparison', 'noise'] as const
export type PairKind = (typeof PAIR_KINDS)[number]

/**
 * What became of a pair. If several are true, the first in this order.
 *
 * - `waiting`: not over yet
 * - `not_sent`: the second submission was never made: out of budget, or its media was lost or too old
 * - `primary_failed`, `candidate_failed`: an error of that side, or no answer
 * - `unfinished`: a side accepted the submission and did not decide in time
 * - `unreadable`: an id could not be read back
 * - `mismatched`: the decisions differ
 * - `callback_missing`: the candidate's callback did not come in time
 * - `agreed`
 */
export const PAIR_OUTCOMES = [
  'waiting',
  'not_sent',
  'primary_failed',
  'candidate_failed',
  'unfinished',
  'unreadable',
  'mismatched',
  'callback_missing',
  'agreed',
] as const
export type PairOutcome = (typeof PAIR_OUTCOMES)[number]

/** What a change in the history of a migration is about. */
export const CHANGE_KINDS = ['stage', 'rollback', 'kill_switch', 'evidence_restart'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** What stopped all shadow traffic. `provider`: the OpenFeature provider of the operator. */
export const KILL_SOURCES = ['api', 'file', 'environment', 'provider'] as const
export type KillSource = (typeof KILL_SOURCES)[number]

export const LATENCY_MEASURES = ['answer', 'decision'] as const
export type LatencyMeasure = (typeof LATENCY_MEASURES)[number]

/** What a migration needs before any traffic, in the order in which it is looked at. */
export const CHECK_NAMES = [
  'primary_answers',
  'candidate_answers',
  'primary_key',
  'candidate_key',
  'decisions',
  'callbacks',
] as const
export type CheckName = (typeof CHECK_NAMES)[number]

/** `skipped`: it is not set up, what it needs failed, or only a real submission could tell. */
export const CHECK_STATES = ['passed', 'failed', 'skipped'] as const
export type CheckState = (typeof CHECK_STATES)[number]
