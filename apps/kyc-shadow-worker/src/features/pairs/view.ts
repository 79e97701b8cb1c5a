import type { Pair, PairSide } from '@vaani/contracts/migration'
import { calledBack, type SideState } from './rules/pair-state.ts'
import type { PairRow } from './tables.ts'

/** Converts a row to the API's form. */
export const toPair = (row: PairRow): Pair => ({
  pair_id: row.pair_id,
  kind: row.kind,
  stage: row.stage,
  outcome: row.outcome,
  created_at: row.received_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
  v1: toSide(row.sides.v1),
  v2: toSide(row.sides.v2),
  severity: row.severity,
  differs_in_code: row.differs_in_code,
  differing_scores: row.differing_scores,
  fields: row.fields,
  acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
  note: row.note,
})

const toSide = (side: SideState): PairSide => ({
  verification_id: side.verificationId,
  ending: side.ending,
  error_code: side.errorCode,
  reason_codes: [...side.reasonCodes],
  id_confirmed: side.isIdConfirmed,
  called_back: calledBack(side),
  answer_ms: side.answerMs,
  decision_ms: side.decisionMs,
})
