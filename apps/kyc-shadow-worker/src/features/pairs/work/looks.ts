import type { Clock } from '@vaani/service-kit/clock'
import { type BackgroundWorker, createPulse } from '@vaani/service-kit/lifecycle/background-worker'
import { endOf } from '@vaani/service-kit/lifecycle/stop-deadline'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Spool } from '../../../spool/spool.ts'
import type { Deployments } from '../deployments/deployments.ts'
import type { PairMetrics } from '../metrics.ts'
import type { HeldPair, PairMachine } from '../pair-machine.ts'
import { applyLook, applyReadBack } from '../rules/apply.ts'
import { deploymentOf, type Step } from '../rules/plan.ts'

const POLL_MS = 500
/** Pairs that one process reads at a time. */
const CONCURRENCY = 16

/**
 * Does what is due for a pair besides sending: reads its verifications, and ends it when its time is over.
 *
 * It claims rows by when they are due and not jobs, because a pair may be read a hundred times, and a job for each would be a second
 * record of what the row says already.
 */
export function startLooks(options: {
  machine: PairMachine
  deployments: Deployments
  spool: Spool
  clock: Clock
  random: () => number
  metrics: PairMetrics
  log: Logger
}): BackgroundWorker {
  const { machine, deployments, spool, clock, random, metrics, log } = options
  const stopping = new AbortController()
  const cut = new AbortController()
  const pulse = createPulse()
  const running = new Set<Promise<void>>()
  let stir = Promise.withResolvers<void>()

  async function read(
    pairId: string,
    pair: HeldPair,
    step: Extract<Step, { version: unknown }>,
  ): Promise<void> {
    const { version } = step
    const deployment = deploymentOf(pair, version)
    const { verificationId } = pair.sides[version]
    const apiKey = deployments.keyOf(pair, version)
    if (verificationId === null || apiKey === undefined) return
    const withExtracted = step.do === 'read_back'
    const { read, values } = await deployments.clients[deployment].read(
      { verificationId, apiKey, withExtracted },
      cut.signal,
    )
    // A read that we broke off says nothing.
    if (cut.signal.aborted) return
    metrics.reads.add({ deployment, result: read.result })
    const moment = { nowMs: clock.nowMs(), random: random() }
    await machine.change(pairId, (held) => {
      if (!withExtracted) return applyLook(held, version, read, moment)
      const confirmed = applyReadBack(held, version, read, moment)
      return values === null ? confirmed : { ...confirmed, values: { ...held.values, [version]: values } }
    })
  }

  /** Does all steps of a pair that are due now. */
  async function follow(pairId: string): Promise<void> {
    // Each step moves the pair on; the bound only stops a bug.
    for (let steps = 0; steps < 10 && !cut.signal.aborted; steps++) {
      // Plans the next step, with the time that has passed since the last.
      const current = await machine.change(pairId, (pair) => pair)
      // The job of a pair that ended for its age may never come to remove its media.
      if (current === null || current.next.do === 'end') return spool.remove(pairId)
      const { pair, next } = current
      if (next.do === 'send' || next.do === 'wait' || next.atMs > clock.nowMs()) return
      await read(pairId, pair, next)
    }
  }

  async function claimMore(): Promise<void> {
    const room = CONCURRENCY - running.size
    if (room <= 0) return
    for (const pairId of await machine.claimDue(room)) {
      const task = follow(pairId)
        .catch((error: unknown) => log.warn({ error, pair_id: pairId }, 'A pair is waiting for the database'))
        .finally(() => {
          running.delete(task)
          // There may be more that is due.
          if (running.size < CONCURRENCY / 2) stir.resolve()
        })
      running.add(task)
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await claimMore().then(pulse.beat, (error: unknown) =>
        log.warn({ error }, 'Pairs are waiting for the database'),
      )
      const timer = setTimeout(() => stir.resolve(), POLL_MS)
      await stir.promise
      clearTimeout(timer)
      stir = Promise.withResolvers()
    }
  }
  const loop = run()

  return {
    name: 'shadow_pairs',
    isWorking: pulse.isBeating,
    async stop({ graceOver, timeOver }) {
      stopping.abort()
      stir.resolve()
      await endOf(Promise.all([loop, ...running]), graceOver)
      cut.abort()
      await endOf(Promise.all([loop, ...running]), timeOver)
    },
  }
}
