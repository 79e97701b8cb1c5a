import type { Clock } from '@vaani/service-kit/clock'
import type { AlertsPort } from '../alerts/port.ts'
import type { EvidencePort } from '../evidence/port.ts'
import type { FlagChanger } from './change-flag.ts'
import type { FlagStore, StoredFlag } from './store.ts'

const ACTOR = 'gate'

/**
 * Rolls back if the evidence says so, and alerts to each condition that is broken, once. Any number of processes may do it at once:
 * the first that holds the flag does, and its new evidence stops the others.
 *
 * @returns the flag after it; null if it changed nothing
 */
export async function runGate(options: {
  store: FlagStore
  evidence: EvidencePort
  alerts: AlertsPort
  changer: FlagChanger
  clock: Clock
}): Promise<StoredFlag | null> {
  const { store, evidence, alerts, changer, clock } = options
  const seen = await store.read()
  const verdict = await evidence.judge(seen.epoch)
  if (verdict.advice !== 'roll_back') return null
  return store.hold(async (tx, flag) => {
    if (flag.epoch !== seen.epoch) return null
    const broken = verdict.conditions.filter(({ state }) => state === 'broken').map(({ name }) => name)
    for (const condition of await store.notice(tx, flag.epoch, broken, new Date(clock.nowMs())))
      await alerts.raise(tx, { type: 'condition', stage: flag.stage, condition, verdict })
    const asked = { kind: 'rollback', actor: ACTOR, reason: verdict.because } as const
    const result = await changer.apply(tx, flag, asked, verdict)
    return result.type === 'changed' ? result.flag : null
  })
}
