import { SCORE_NAMES, type ScoreName } from '@vaani/contracts'

export type Scores = Partial<Record<ScoreName, number | null | undefined>>

/** How far a score may differ before it counts, from 0 to 1. */
export type Tolerances = Readonly<Record<ScoreName, number>>

/** Liveness and faces depend on which frames an engine picks; whether the zone for machines adds up does not. */
export const DEFAULT_TOLERANCES: Tolerances = {
  document_quality: 0.05,
  document_authenticity: 0.05,
  ocr_confidence: 0.05,
  mrz_checks: 0,
  liveness: 0.1,
  face_match: 0.05,
  recapture: 0.1,
}

/** The scores that differ by more than their tolerance, or that only one side has. */
export const findDifferentScores = (
  primary: Scores,
  candidate: Scores,
  tolerances: Tolerances,
): ScoreName[] =>
  SCORE_NAMES.filter((name) => {
    const [one, other] = [primary[name] ?? null, candidate[name] ?? null]
    if (one === null || other === null) return one !== other
    return Math.abs(one - other) > tolerances[name]
  })
