import type { Id } from '@vaani/contracts'
import type { Pair } from '@vaani/contracts/migration'
import type { SideState } from '../../src/features/pairs/rules/pair-state.ts'
import type { TestWorker } from './start-test-worker.ts'

const side: Pair['v1'] = {
  verification_id: 'ver_1',
  ending: 'approved',
  error_code: null,
  reason_codes: [],
  id_confirmed: true,
  called_back: null,
  answer_ms: 300,
  decision_ms: 4000,
}

/** Makes an open mismatch of the worst kind. */
export const makePair = (pair: { pair_id: Id<'pair'> } & Partial<Pair>): Pair => ({
  kind: 'comparison',
  stage: 'shadow-10',
  outcome: 'mismatched',
  created_at: '2026-11-22T10:00:00.000Z',
  ended_at: '2026-11-22T10:01:00.000Z',
  v1: side,
  v2: { ...side, ending: 'declined' },
  severity: 'worst',
  differs_in_code: false,
  differing_scores: [],
  fields: { full_name: 'equal' },
  acknowledged_at: null,
  note: null,
  ...pair,
})

/** Writes pairs as if they had ended, and others that have not. */
export async function storePairs({ context }: TestWorker, pairs: readonly Pair[]): Promise<void> {
  await context.database
    .insertInto('pairs')
    .values(
      pairs.map((pair) => ({
        pair_id: pair.pair_id,
        kind: pair.kind,
        stage: pair.stage,
        epoch: 1,
        answered_by: 'v1' as const,
        received_at: new Date(pair.created_at),
        ended_at: pair.ended_at === null ? null : new Date(pair.ended_at),
        outcome: pair.outcome,
        sides: JSON.stringify({ v1: toState(pair.v1), v2: toState(pair.v2) }),
        // Beyond every test.
        next_at: pair.ended_at === null ? new Date('2100-01-01') : null,
        send_at: null,
        severity: pair.severity,
        differs_in_code: pair.differs_in_code,
        differing_scores: JSON.stringify(pair.differing_scores),
        fields: JSON.stringify(pair.fields),
        acknowledged_at: pair.acknowledged_at === null ? null : new Date(pair.acknowledged_at),
        note: pair.note,
      })),
    )
    .execute()
}

const toState = (one: Pair['v1']): SideState => ({
  sentBy: 'caller',
  faults: 0,
  notBeforeMs: 0,
  answeredAtMs: 0,
  answerMs: one.answer_ms,
  verificationId: one.verification_id,
  errorCode: one.error_code,
  ending: one.ending,
  reasonCodes: one.reason_codes,
  decidedAtMs: 0,
  decisionMs: one.decision_ms,
  looks: 0,
  misses: 0,
  readBacks: 0,
  isReadBack: true,
  isIdConfirmed: one.id_confirmed,
  isCallbackDue: one.called_back !== null,
  hasCalledBack: one.called_back ?? false,
})
