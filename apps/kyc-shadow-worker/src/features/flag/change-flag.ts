import type { MigrationVerdict } from '@vaani/contracts/migration'
import type { Clock } from '@vaani/service-kit/clock'
import type { Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { planChange } from '../../rules/gate/plan-change.ts'
import type { AlertsPort } from '../alerts/port.ts'
import type { EvidencePort } from '../evidence/port.ts'
import type { ChangeRequest } from './port.ts'
import type { FlagStore, StoredFlag } from './store.ts'

/** A change that was asked for, by a person or by a program. */
export interface AskedChange extends ChangeRequest {
  readonly isOfProvider?: boolean
}

export type ChangeResult =
  | { readonly type: 'refused'; readonly because: string }
  | { readonly type: 'nothing' | 'changed'; readonly flag: StoredFlag }

export interface FlagChanger {
  /** Changes the flag on the evidence of now. */
  change(asked: AskedChange): Promise<ChangeResult>
  /** Changes a flag that the caller holds, with its history and its alert. */
  apply(tx: Tx, flag: StoredFlag, asked: AskedChange, verdict: MigrationVerdict): Promise<ChangeResult>
}

/** Changes of others that are waited for. Each makes the evidence be judged again. */
const MOST_ATTEMPTS = 5

export function createFlagChanger(options: {
  store: FlagStore
  evidence: EvidencePort
  alerts: AlertsPort
  clock: Clock
  makeId: IdMaker
}): FlagChanger {
  const { store, evidence, alerts, clock, makeId } = options

  async function apply(
    tx: Tx,
    flag: StoredFlag,
    asked: AskedChange,
    verdict: MigrationVerdict,
  ): Promise<ChangeResult> {
    const plan = planChange(flag, asked, verdict)
    if (plan.type === 'refused') return plan
    const { next } = plan
    if (plan.type === 'nothing') {
      if (next.providerStage !== flag.providerStage) await store.keepProviderStage(tx, next.providerStage)
      return { type: 'nothing', flag: { ...flag, ...next } }
    }
    const now = new Date(clock.nowMs())
    const change = {
      change_id: makeId('change'),
      kind: asked.kind,
      created_at: now.toISOString(),
      actor: asked.actor,
      reason: asked.reason,
      from_stage: flag.stage,
      to_stage: next.stage,
      kill_switch: asked.kind === 'kill_switch' ? (asked.isKilled ?? false) : null,
      forced: plan.isForced,
      verdict,
    }
    const changed = await store.write(tx, { change, next }, now)
    await alerts.raise(tx, { type: 'changed', change })
    return { type: 'changed', flag: changed }
  }

  return {
    apply,
    async change(asked) {
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
        const seen = await store.read()
        // Judged before the flag is held, so that no transaction waits for another connection.
        const verdict = await evidence.judge(seen.epoch)
        const result = await store.hold(async (tx, flag) =>
          flag.revision === seen.revision ? apply(tx, flag, asked, verdict) : null,
        )
        if (result !== null) return result
      }
      return { type: 'refused', because: 'The flag is being changed by others; try again' }
    },
  }
}
