import { CONDITION_NAMES, type ConditionName } from '@vaani/contracts/migration'
import type { EndedPair } from '../../src/features/evidence/port.ts'
import type { TestWorker } from './start-test-worker.ts'

/** Makes a pair that ended well, except for the events given. */
export function endedPair({
  events = [],
  ...pair
}: Partial<EndedPair> & { events?: readonly ConditionName[] } = {}): EndedPair {
  const isMismatch = events.includes('worst_mismatches')
  return {
    epoch: 1,
    stage: 'shadow-100',
    kind: 'comparison',
    outcome: isMismatch ? 'mismatched' : 'agreed',
    endedAtMs: 1_795_000_000_000,
    v1: 'approved',
    v2: isMismatch ? 'declined' : 'approved',
    judged: {
      severity: isMismatch ? 'worst' : null,
      differsInCode: false,
      differentScores: [],
      fields: {},
      trials: Object.fromEntries(CONDITION_NAMES.map((name) => [name, events.includes(name)])),
    },
    latencies: [
      { version: 'v1', measure: 'answer', ms: 300 },
      { version: 'v2', measure: 'answer', ms: 250 },
    ],
    ...pair,
  }
}

/**
 * Counts many pairs by one multiplication of the counters of one, because counting each takes a transaction.
 */
export async function countMany(
  { context }: TestWorker,
  pairs: number,
  pair: Parameters<typeof endedPair>[0] = {},
): Promise<void> {
  const { evidence, database } = context
  await database.transaction().execute(async (tx) => {
    const before = await tx.selectFrom('evidence_counts').selectAll().execute()
    await evidence.count(tx, endedPair(pair))
    const known = new Map(before.map((row) => [JSON.stringify({ ...row, pairs: '' }), Number(row.pairs)]))
    for (const row of await tx.selectFrom('evidence_counts').selectAll().execute()) {
      const earlier = known.get(JSON.stringify({ ...row, pairs: '' })) ?? 0
      const added = Number(row.pairs) - earlier
      if (added === 0) continue
      await tx
        .updateTable('evidence_counts')
        .set({ pairs: String(earlier + added * pairs) })
        .where('epoch', '=', row.epoch)
        .where('subject', '=', row.subject)
        .where('kind', '=', row.kind)
        .where('stage', '=', row.stage)
        .where('value', '=', row.value)
        .where('other_value', '=', row.other_value)
        .execute()
    }
  })
}
