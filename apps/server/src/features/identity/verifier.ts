import {
  type CheckResult,
  type CheckRunner,
  CheckRunError,
  type Decision,
  decide,
  type ExtractedFields,
  type Policy,
} from '@vaani/identity-checks'
import type { Clock } from '@vaani/service-kit/clock'
import { unavailabilityOf } from '@vaani/service-kit/database/database-error'
import { storageFault } from '@vaani/service-kit/http/storage-fault'
import type { WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import { type BackgroundWorker, createPulse } from '@vaani/service-kit/lifecycle/background-worker'
import { endOf } from '@vaani/service-kit/lifecycle/stop-deadline'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Vault } from '@vaani/service-kit/vault/vault'
import type { IdentityEvent } from './events.ts'
import { sealExtracted } from './extracted.ts'
import { makeMediaFolder } from './intake/media-folder.ts'
import type { MediaStore } from './media-store.ts'
import { type DocumentDigests, digestsOf, NO_DIGESTS } from './reuse.ts'
import { giveUp, MAX_ATTEMPTS, retryDelaySeconds } from './rules/attempts.ts'
import { sandboxChecks } from './rules/sandbox.ts'
import { type IdentitySpans, traceCheck } from './spans.ts'
import type { VerificationStore } from './store.ts'
import type { VerificationRow } from './tables.ts'

const POLL_MS = 1000
/** Delay before the retry of a verification whose media or results could not be read or written. */
const OUTAGE_SECONDS = 5

/** Checks and decides pending verifications. On stop, checks that outlast the grace period are left to another worker. */
export interface Verifier extends BackgroundWorker {
  /** Signals a new submission, to claim it now instead of at the next poll. */
  wake(): void
  /** Counts the verifications whose checks are running. */
  running(): number
}

export interface VerifierOptions {
  lease: WorkerLease
  /** Maximum number of concurrent verifications, and how many of them may belong to one account. */
  concurrency: number
  perAccount: number
  checkDirectory: string
  store: VerificationStore
  media: MediaStore
  runner: CheckRunner
  vault: Vault
  policyNamed: (name: string) => Policy
  clock: Clock
  events: Events<IdentityEvent>
  spans: IdentitySpans
  /** Called if this worker no longer held a verification when it was to be decided. */
  onLost: () => void
  log: Logger
}

const EVENTS = { approved: 'accepted', declined: 'rejected', review: 'check_needed' } as const

interface RunningCheck {
  verificationId: string
  accountId: string
  workerId: string
  /** Never rejects. */
  task: Promise<void>
}

/** If the worker dies or loses its lease, another worker restarts its checks, up to `MAX_ATTEMPTS` in all. */
export function startVerifier(options: VerifierOptions): Verifier {
  const { lease, concurrency, perAccount, store, clock, events, spans, log } = options
  /** A set, because a lost verification may be claimed again before its first task has ended. */
  const running = new Set<RunningCheck>()
  /** The account served last. */
  let after = ''
  const stopping = new AbortController()
  const pulse = createPulse()
  let stir = Promise.withResolvers<void>()
  let ended = false

  async function verify(row: VerificationRow, workerId: string): Promise<Decision | undefined> {
    const { checks, extracted, digests } =
      row.attempts > MAX_ATTEMPTS
        ? { checks: giveUp(row.checks), extracted: null, digests: NO_DIGESTS }
        : await check(row)
    const sealed = sealExtracted(options.vault, row, extracted)
    const decided = await store.decide(row, workerId, {
      digests,
      judge(reuse) {
        const all = reuse === null ? checks : [...checks.filter((one) => one.check !== reuse.check), reuse]
        const { decision, reasons } = decide(all, options.policyNamed(row.policy))
        return { event: EVENTS[decision], checks: all, reasons, extracted: sealed }
      },
    })
    if (decided === undefined || decided.status === 'pending') {
      options.onLost()
      return undefined
    }
    events.record('verification_decided', { verification_id: row.verification_id, outcome: decided.status })
    if (!row.store_media) {
      await options.media.remove(row.artifacts)
      await store.forgetMedia([row.verification_id])
    }
    return decided.status
  }

  async function check(row: VerificationRow): Promise<{
    checks: readonly CheckResult[]
    extracted: ExtractedFields | null
    digests: DocumentDigests | null
  }> {
    const simulated = sandboxChecks(row)
    if (simulated !== null) return { checks: simulated, extracted: null, digests: null }
    await using folder = await makeMediaFolder(options.checkDirectory)
    const { verification_id: verificationId, data_key: sealedKey, artifacts } = row
    if (sealedKey === null) throw new Error('The media of a pending verification was erased')
    await options.media.unpack({ verificationId, sealedKey, artifacts, folder })
    const fileOf = (name: string) =>
      artifacts.some((artifact) => artifact.name === name) ? folder.file(name) : null
    // Start from the results of the submission and of earlier, unfinished attempts.
    const checks = new Map(row.checks.map((result) => [result.check, result]))
    let keeping = Promise.resolve()
    const ending = options.runner.run({
      owner: row.account_id,
      known: [...checks.keys()],
      files: {
        frontImage: folder.file('front_image'),
        backImage: fileOf('back_image'),
        livenessVideo: folder.file('liveness_video'),
        referencePortrait: fileOf('reference_portrait'),
      },
      today: new Date(clock.nowMs()).toISOString().slice(0, 10),
      tell(result) {
        checks.set(result.check, result)
        const soFar = [...checks.values()]
        // Only for reads in the meantime; the decision writes all results.
        keeping = keeping
          .then(() => store.keepChecks(row, soFar))
          .catch((error: unknown) =>
            log.warn({ error, verification_id: verificationId }, 'Partial scores could not be stored'),
          )
      },
    })
    // Store them even if the checks do not finish, because the next attempt starts from them.
    const read = await ending.finally(() => keeping)
    return {
      checks: [...checks.values()],
      extracted: read.fields,
      digests: digestsOf(options.vault, row, read),
    }
  }

  /** Releases a verification after an error. If that fails as well, the next claim releases it. */
  async function letGo(row: VerificationRow, workerId: string, error: unknown): Promise<void> {
    const { verification_id, attempts: attempt } = row
    if (ended) return log.info({ verification_id }, 'A verification is left to another worker')
    if (error instanceof CheckRunError && error.code === 'busy')
      return store.release([verification_id], workerId)
    if (isOutage(error)) {
      log.warn({ error, verification_id }, 'A verification is waiting for storage')
      return store.postpone(row, workerId, { delaySeconds: OUTAGE_SECONDS, countsAsAttempt: false })
    }
    log.error({ error, verification_id, attempt }, 'A verification could not be checked')
    await store.postpone(row, workerId, { delaySeconds: retryDelaySeconds(attempt), countsAsAttempt: true })
  }

  async function claimMore(): Promise<void> {
    const holder = lease.current()
    if (holder === null) return
    const { workerId } = holder
    const room = concurrency - running.size
    if (room <= 0) return pulse.beat()
    const underWay = new Map<string, number>()
    for (const { accountId } of running) underWay.set(accountId, (underWay.get(accountId) ?? 0) + 1)
    const checking = idsHeldBy(workerId)
    const claimed = await store.claim({ workerId, checking, room, perAccount, underWay, after })
    pulse.beat()
    for (const row of claimed) {
      const { verification_id: verificationId, account_id: accountId } = row
      after = accountId
      const task = traceCheck(spans, row, {
        takenAt: new Date(clock.nowMs()),
        async check() {
          try {
            return await verify(row, workerId)
          } catch (error) {
            await letGo(row, workerId, error)
            return undefined
          }
        },
      })
        .catch((error: unknown) =>
          log.warn({ error, verification_id: verificationId }, 'A verification could not be released'),
        )
        .finally(() => {
          running.delete(one)
          stir.resolve()
        })
      const one: RunningCheck = { verificationId, accountId, workerId, task }
      running.add(one)
    }
  }

  const idsHeldBy = (workerId: string): string[] =>
    Array.from(running)
      .filter((one) => one.workerId === workerId)
      .map(({ verificationId }) => verificationId)

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await claimMore().catch((error: unknown) =>
        log.warn({ error }, 'Verifications are waiting for the database'),
      )
      const timer = setTimeout(() => stir.resolve(), POLL_MS)
      await stir.promise
      clearTimeout(timer)
      stir = Promise.withResolvers()
    }
  }

  const loop = run()
  const endOfTasks = () => Promise.all([...running].map(({ task }) => task))
  async function releaseRunning(): Promise<void> {
    const holder = lease.current()
    // Without a lease, other workers may have taken them already.
    if (holder === null) return
    await store
      .release(idsHeldBy(holder.workerId), holder.workerId)
      .catch((error: unknown) => log.warn({ error }, 'Verifications could not be released'))
  }
  return {
    name: 'verifications',
    wake: () => stir.resolve(),
    running: () => running.size,
    isWorking: pulse.isBeating,
    async stop({ graceOver, timeOver }) {
      stopping.abort()
      stir.resolve()
      await endOf(loop, timeOver)
      await endOf(endOfTasks(), graceOver)
      ended = true
      if (running.size > 0) {
        // Release before ending the tasks, so that this does not count as an attempt.
        await endOf(releaseRunning(), timeOver)
        // Ends the runner's processes, and with them the checks.
        await endOf(options.runner[Symbol.asyncDispose](), timeOver)
        await endOf(endOfTasks(), timeOver)
      }
    },
  }
}

/** Whether the error is an outage that affects all verifications, not a problem of this one. */
const isOutage = (error: unknown): boolean =>
  storageFault(error) !== undefined || unavailabilityOf(error) !== null
