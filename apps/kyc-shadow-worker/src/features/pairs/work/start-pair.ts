import type { KycVersion } from '@vaani/contracts/migration'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { SpoolEntry } from '../../../spool/entry.ts'
import type { PairEvent } from '../events.ts'
import type { PairMachine } from '../pair-machine.ts'
import { applyCallback } from '../rules/apply.ts'
import { type PairState, startPair } from '../rules/pair-state.ts'
import { deploymentOf, needsMedia } from '../rules/plan.ts'
import type { EarlyDecisions } from './early-decisions.ts'

/** Writes the row of an entry of the spool. If another process did so before, this does nothing. */
export type StartPair = (entry: SpoolEntry) => Promise<void>

export function createStartPair({
  database,
  machine,
  early,
  clock,
  random,
  events,
}: {
  database: Db
  machine: Pick<PairMachine, 'change'>
  early: EarlyDecisions
  clock: Clock
  random: () => number
  events: Events<PairEvent>
}): StartPair {
  async function applyEarlyDecision(pairId: string, pair: PairState, version: KycVersion): Promise<void> {
    const { verificationId } = pair.sides[version]
    const reported = verificationId && early.take(deploymentOf(pair, version), verificationId)
    if (!reported) return
    const moment = { nowMs: clock.nowMs(), random: random() }
    await machine.change(pairId, (held) => applyCallback(held, version, reported, moment))
  }

  return async (entry) => {
    const pair = startPair(entry)
    const { pairId } = entry
    const receivedAt = new Date(entry.receivedAtMs)
    const { numInsertedOrUpdatedRows } = await database
      .insertInto('pairs')
      .values({
        pair_id: pairId,
        kind: entry.kind,
        stage: entry.stage,
        epoch: entry.epoch,
        answered_by: entry.answeredBy,
        received_at: receivedAt,
        outcome: 'waiting',
        not_sent: pair.notSent,
        sides: JSON.stringify(pair.sides),
        v1_id: pair.sides.v1.verificationId,
        v2_id: pair.sides.v2.verificationId,
        // At once, so that the next step is planned as that of every other pair.
        next_at: receivedAt,
        send_at: needsMedia(pair) ? receivedAt : null,
        differs_in_code: false,
        differing_scores: '[]',
        fields: '{}',
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) return
    events.record('pair_started', { pair_id: pairId })
    await applyEarlyDecision(pairId, pair, entry.answeredBy)
  }
}
