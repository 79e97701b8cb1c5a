import { type Ending, SEVERITIES, type Severity } from '@vaani/contracts/migration'

/**
 * By the pair of endings, in whichever order. An approval that would have been a refusal lets somebody in, or keeps a customer out;
 * a review is read by a person, so it costs time. `failed` and `unfinished` are counted as errors, not as decisions.
 */
const MATRIX: Readonly<Record<Ending, Partial<Record<Ending, Severity>>>> = {
  approved: { declined: 'worst', refused: 'worst', review: 'serious' },
  declined: { refused: 'mild', review: 'mild' },
  review: { refused: 'serious' },
  refused: {},
  failed: {},
  unfinished: {},
}

/** Null if the endings agree, or if one of them is no decision. */
export const severityOf = (one: Ending, other: Ending): Severity | null =>
  MATRIX[one][other] ?? MATRIX[other][one] ?? null

/** Whether a severity is at least as bad as another. */
export const isAtLeast = (severity: Severity, least: Severity): boolean =>
  SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least)
