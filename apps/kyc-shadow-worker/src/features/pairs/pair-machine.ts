import type { KycVersion } from '@vaani/contracts/migration'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Vault } from '@vaani/service-kit/vault/vault'
import type { AlertsPort } from '../alerts/port.ts'
import type { EndedPair, EvidencePort } from '../evidence/port.ts'
import type { PairEvent } from './events.ts'
import type { PairMetrics } from './metrics.ts'
import { type Conclusion, conclude, type ConcludeLimits, type ReadValues } from './rules/conclude.ts'
import type { PairState } from './rules/pair-state.ts'
import { advance, nextStep, type PlanLimits, type Step } from './rules/plan.ts'
import type { PairRow } from './tables.ts'

type Values = Partial<Record<KycVersion, ReadValues>>

/** A row with its state, as the rules read it. */
export interface HeldPair extends PairState {
  readonly row: PairRow
  /** What was read of the first side. */
  readonly values: Values
  readonly budgetDay: string | null
}

/** Changes a pair while its row is locked; null leaves it as it is. */
export type Change = (pair: HeldPair, tx: Tx) => HeldPair | null | Promise<HeldPair | null>

/** The only way to change a pair: one step at a time, each in a transaction that also ends the pair if nothing is left to do. */
export interface PairMachine {
  /** Returns the pair and its next step; null if it is gone, or was over before. */
  change(pairId: string, change: Change): Promise<{ pair: HeldPair; next: Step } | null>
}

/** Returns what the values that were read for a pair are sealed for. */
export const ownerOfValues = (pairId: string): string => `${pairId}/read_values`

export function createPairMachine(options: {
  database: Db
  clock: Clock
  vault: Vault
  planLimits: PlanLimits
  limits: ConcludeLimits
  evidence: EvidencePort
  alerts: AlertsPort
  events: Events<PairEvent>
  metrics: PairMetrics
}): PairMachine {
  const { database, clock, vault, planLimits, events, metrics } = options

  const hold = (row: PairRow): HeldPair => ({
    row,
    kind: row.kind,
    receivedAtMs: row.received_at.getTime(),
    notSent: row.not_sent,
    sides: row.sides,
    budgetDay: row.budget_day,
    values:
      row.read_values === null
        ? {}
        : (JSON.parse(vault.open(row.read_values, ownerOfValues(row.pair_id))) as Values),
  })

  return {
    async change(pairId, change) {
      const changed = await database.transaction().execute(async (tx) => {
        const row = await tx
          .selectFrom('pairs')
          .where('pair_id', '=', pairId)
          .selectAll()
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined || row.ended_at !== null) return null
        const given = await change(hold(row), tx)
        if (given === null) return null
        const nowMs = clock.nowMs()
        const pair = advance(given, planLimits, nowMs)
        const next = nextStep(pair, planLimits, nowMs)
        if (next.do === 'end') return { pair, next, concluded: await end(tx, pair, { ...options, nowMs }) }
        await tx
          .updateTable('pairs')
          .set({
            ...stateColumns(pair),
            next_at: new Date(dueAtMs(pair, next, planLimits)),
            read_values: sealValues(pair),
          })
          .where('pair_id', '=', pairId)
          .execute()
        return { pair, next, concluded: null }
      })
      if (changed === null) return null
      const { pair, next, concluded } = changed
      if (concluded) {
        metrics.ended.add({ outcome: concluded.outcome })
        events.record('pair_ended', {
          pair_id: pairId,
          outcome: concluded.outcome,
          ...(pair.notSent !== null && { reason: pair.notSent }),
        })
      }
      return { pair, next }
    },
  }

  function sealValues({ row, values }: HeldPair): Buffer | null {
    return Object.keys(values).length === 0
      ? null
      : vault.seal(JSON.stringify(values), ownerOfValues(row.pair_id))
  }
}

/** Writes the end of a pair, its evidence and its alert, all or none of them. */
async function end(
  tx: Tx,
  pair: HeldPair,
  options: { nowMs: number; limits: ConcludeLimits; evidence: EvidencePort; alerts: AlertsPort },
): Promise<Conclusion> {
  const { nowMs, limits, evidence, alerts } = options
  const concluded = conclude(pair, pair.values, limits)
  const { row, kind } = pair
  const { outcome, judged, sides } = concluded
  const { pair_id: pairId, stage, epoch } = row
  await tx
    .updateTable('pairs')
    .set({
      ...stateColumns(pair),
      outcome,
      ended_at: new Date(nowMs),
      next_at: null,
      read_values: null,
      severity: judged?.severity ?? null,
      differs_in_code: judged?.differsInCode ?? false,
      differing_scores: JSON.stringify(judged?.differentScores ?? []),
      fields: JSON.stringify(judged?.fields ?? {}),
    })
    .where('pair_id', '=', pairId)
    .execute()
  const v1 = sides === null ? pair.sides.v1.ending : sides.v1.ending
  const v2 = sides === null ? pair.sides.v2.ending : sides.v2.ending
  const latencies = listLatencies(pair)
  await evidence.count(tx, { epoch, stage, kind, outcome, endedAtMs: nowMs, v1, v2, judged, latencies })
  if (kind === 'comparison' && judged?.severity)
    await alerts.raise(tx, { type: 'mismatch', stage, severity: judged.severity, pairId })
  return concluded
}

/** Submissions have their own time, `send_at`; the pair itself is due when it is too late for them. */
const dueAtMs = (
  pair: PairState,
  step: Exclude<Step, { do: 'end' }>,
  { mediaMs }: Pick<PlanLimits, 'mediaMs'>,
): number => (step.do === 'send' ? pair.receivedAtMs + mediaMs : step.atMs)

const stateColumns = ({ sides, notSent, budgetDay }: HeldPair) => ({
  sides: JSON.stringify(sides),
  not_sent: notSent,
  budget_day: budgetDay,
  v1_id: sides.v1.verificationId,
  v2_id: sides.v2.verificationId,
})

const listLatencies = ({ sides }: PairState): EndedPair['latencies'] =>
  (['v1', 'v2'] as const).flatMap((version) => {
    const { answerMs, decisionMs } = sides[version]
    return [
      ...(answerMs === null ? [] : [{ version, measure: 'answer' as const, ms: answerMs }]),
      ...(decisionMs === null ? [] : [{ version, measure: 'decision' as const, ms: decisionMs }]),
    ]
  })
