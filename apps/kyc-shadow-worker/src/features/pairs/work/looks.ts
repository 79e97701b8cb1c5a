import type { Clock } from '@vaani/service-kit/clock'
import type { WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { startClaimLoop } from '@vaani/service-kit/work/claim-loop'
import type { Spool } from '../../../spool/spool.ts'
import type { Deployments } from '../deployments/deployments.ts'
import type { PairMetrics } from '../metrics.ts'
import type { HeldPair, PairMachine } from '../pair-machine.ts'
import { applyLook, applyReadBack } from '../rules/apply.ts'
import { deploymentOf, type Step } from '../rules/plan.ts'
import type { PairClaims } from './claims.ts'

const POLL_MS = 500
/** Pairs that one process reads at a time. */
const CONCURRENCY = 16

/** Does what is due for a pair besides sending: reads its verifications, and ends it when its time is over. */
export function startLooks(options: {
  lease: WorkerLease
  claims: PairClaims
  machine: PairMachine
  deployments: Deployments
  spool: Spool
  clock: Clock
  random: () => number
  metrics: PairMetrics
  log: Logger
}): BackgroundWorker {
  const { lease, claims, machine, deployments, spool, clock, random, metrics, log } = options

  async function read(
    pairId: string,
    pair: HeldPair,
    { step, cut }: { step: Extract<Step, { version: unknown }>; cut: AbortSignal },
  ): Promise<void> {
    const { version } = step
    const deployment = deploymentOf(pair, version)
    const { verificationId } = pair.sides[version]
    const apiKey = deployments.keyOf(pair, version)
    if (verificationId === null || apiKey === undefined) return
    const withExtracted = step.do === 'read_back'
    const { read, values } = await deployments.clients[deployment].read(
      { verificationId, apiKey, withExtracted },
      cut,
    )
    // A read that we broke off says nothing.
    if (cut.aborted) return
    metrics.reads.add({ deployment, result: read.result })
    const moment = { nowMs: clock.nowMs(), random: random() }
    await machine.change(pairId, (held) => {
      if (!withExtracted) return applyLook(held, version, read, moment)
      const confirmed = applyReadBack(held, version, read, moment)
      return values === null ? confirmed : { ...confirmed, values: { ...held.values, [version]: values } }
    })
  }

  /** Does all steps of a pair that are due now. */
  async function follow(pairId: string, cut: AbortSignal): Promise<void> {
    // Each step moves the pair on; the bound only stops a bug.
    for (let steps = 0; steps < 10 && !cut.aborted; steps++) {
      // Plans the next step, with the time that has passed since the last.
      const current = await machine.change(pairId, (pair) => pair)
      // Nothing may be left to send that would remove the media of a pair that ended for its age.
      if (current === null || current.next.do === 'end') return spool.remove(pairId)
      const { pair, next } = current
      if (next.do === 'send' || next.do === 'wait' || next.atMs > clock.nowMs()) return
      await read(pairId, pair, { step: next, cut })
    }
  }

  return startClaimLoop<string>({
    name: 'shadow_pairs',
    lease,
    places: CONCURRENCY,
    pollMs: POLL_MS,
    claim: claims.looks,
    work: (pairId, { cut }) => follow(pairId, cut),
    onClaimError: (error) => log.warn({ error }, 'Pairs are waiting for the database'),
    onWorkError: (error, pair_id) => log.warn({ error, pair_id }, 'A pair is waiting for the database'),
  })
}
