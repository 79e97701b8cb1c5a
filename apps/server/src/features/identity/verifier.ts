import { CheckRunError, type Decision, type Policy } from '@vaani/identity-checks'
import { unavailabilityOf } from '@vaani/service-kit/database/database-error'
import { storageFault } from '@vaani/service-kit/http/errors/storage-fault'
import type { WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import type { Events } from '@vaani/service-kit/telemetry/events'
import { startClaimLoop } from '@vaani/service-kit/work/claim-loop'
import type { Hold } from '@vaani/service-kit/work/run-rows'
import { type CheckerOptions, createChecker } from './check-verification.ts'
import type { IdentityEvent } from './events.ts'
import { sealExtracted } from './extracted.ts'
import { decideBy } from './decide-by.ts'
import { retryDelaySeconds } from './rules/attempts.ts'
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

export interface VerifierOptions extends CheckerOptions {
  lease: WorkerLease
  /** Maximum number of concurrent verifications, and how many of them may belong to one account. */
  concurrency: number
  perAccount: number
  store: VerificationStore
  policyNamed: (name: string) => Policy
  events: Events<IdentityEvent>
  spans: IdentitySpans
  /** Called if this worker no longer held a verification when it was to be decided. */
  onLost: () => void
}

const EVENTS = { approved: 'accepted', declined: 'rejected', review: 'check_needed' } as const
const idOf = ({ verification_id }: VerificationRow): string => verification_id

/** If the worker dies or loses its lease, another worker restarts its checks, up to `MAX_ATTEMPTS` in all. */
export function startVerifier(options: VerifierOptions): Verifier {
  const { lease, concurrency, perAccount, store, clock, spans, log } = options
  const verify = createVerify(options)
  const letGo = createLetGo(options)
  /** The account served last. */
  let after = ''

  /** A single function, which each signal calls once, however often it is added. */
  const endChecks = () =>
    void Promise.all(
      [...new Set(Object.values(options.runners))].map((runner) => runner[Symbol.asyncDispose]()),
    ).catch((error: unknown) => log.warn({ error }, 'The processes of checks could not be ended'))

  const loop = startClaimLoop<VerificationRow>({
    name: 'verifications',
    lease,
    places: concurrency,
    pollMs: POLL_MS,
    async claim({ workerId, room, held }) {
      const checking = held.map(idOf)
      const underWay = held.map(({ account_id }) => account_id)
      const claimed = await store.claim({ workerId, checking, room, perAccount, underWay, after })
      after = claimed.at(-1)?.account_id ?? after
      return claimed
    },
    async work(row, hold) {
      hold.cut.addEventListener('abort', endChecks)
      const takenAt = new Date(clock.nowMs())
      const check = () =>
        verify(row, hold.lease.workerId).catch(async (error: unknown) => {
          await letGo(row, hold, error)
          return undefined
        })
      await traceCheck(spans, row, { takenAt, check })
    },
    // Before their checks are ended, so that this does not count as an attempt.
    giveBack: (rows, workerId) => store.release(rows.map(idOf), workerId),
    onClaimError: (error) => log.warn({ error }, 'Verifications are waiting for the database'),
    onWorkError: (error, { verification_id }) =>
      log.warn({ error, verification_id }, 'A verification could not be released'),
  })
  return {
    name: loop.name,
    wake: loop.wake,
    running: loop.working,
    isWorking: loop.isWorking,
    stop: loop.stop,
  }
}

/** Makes a function that checks and decides a verification; it returns undefined if this worker no longer held it. */
function createVerify(options: VerifierOptions) {
  const { store, events } = options
  const check = createChecker(options)
  return async (row: VerificationRow, workerId: string): Promise<Decision | undefined> => {
    const { checks, extracted, digests } = await check(row)
    const sealed = sealExtracted(options.vault, row, extracted)
    const decided = await store.decide(row, workerId, {
      digests,
      judge(reuse) {
        const all = reuse === null ? checks : [...checks.filter((one) => one.check !== reuse.check), reuse]
        const found = { checks: all, extracted, livemode: row.livemode, nowMs: options.clock.nowMs() }
        const decided = decideBy(options.policyNamed(row.policy), found)
        return { ...decided, event: EVENTS[decided.decision], extracted: sealed }
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
}

/** Makes a function that releases a verification after an error. If that fails as well, the next claim releases it. */
function createLetGo({ store, log }: Pick<VerifierOptions, 'store' | 'log'>) {
  return async (row: VerificationRow, { lease: { workerId }, cut }: Hold, error: unknown): Promise<void> => {
    const { verification_id, attempts: attempt } = row
    if (cut.aborted) return log.info({ verification_id }, 'A verification is left to another worker')
    if (error instanceof CheckRunError && error.code === 'busy')
      return store.release([verification_id], workerId)
    if (isOutage(error)) {
      log.warn({ error, verification_id }, 'A verification is waiting for storage')
      return store.postpone(row, workerId, { delaySeconds: OUTAGE_SECONDS, countsAsAttempt: false })
    }
    log.error({ error, verification_id, attempt }, 'A verification could not be checked')
    await store.postpone(row, workerId, { delaySeconds: retryDelaySeconds(attempt), countsAsAttempt: true })
  }
}

/** Whether the error is an outage that affects all verifications, not a problem of this one. */
const isOutage = (error: unknown): boolean =>
  storageFault(error) !== undefined || unavailabilityOf(error) !== null
