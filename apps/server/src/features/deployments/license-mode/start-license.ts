import type { WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import type { BackgroundWorker } from '@vaani/service-kit/lifecycle/background-worker'
import { startWorkerLease } from '@vaani/service-kit/leases/start-worker-lease'
import type { Services } from '@vaani/service-kit/service/services'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { repeat } from '@vaani/service-kit/lifecycle/repeat'
import type { AccountAuthenticator } from '../../../tenancy/authenticator.ts'
import type { AdminPort } from '../../admin/port.ts'
import type { ServerLicense } from '../port.ts'
import { readLicense, readRevocations } from '../read-tokens.ts'
import {
  describeState,
  judgeLicense,
  type LicenseState,
  type RevocationClaims,
  type LicenseClaims,
} from '../rules/license.ts'
import type { LicenseSettings } from '../settings.ts'
import { fetchRevocations } from './fetch-revocations.ts'
import { createLicenseStore, type LicenseStore } from './license-store.ts'
import { prepareAccount } from './prepare-account.ts'
import { limitByLicense } from './refuse-by-license.ts'

/** A server that waits for a seat takes over within this time after another has stopped. */
const SEAT_MS = 2000
const REVOCATIONS_MS = 3_600_000
const WARNING_MS = 86_400_000

export interface LicenseNeeds extends Pick<
  Services,
  'clock' | 'database' | 'held' | 'isApi' | 'isWorker' | 'lease' | 'log' | 'makeId' | 'pool' | 'stopping'
> {
  admin: AdminPort
  authenticator: AccountAuthenticator
}

/** A license that limits every request, and the worker that keeps its seat. */
export interface StartedLicense extends ServerLicense {
  worker: BackgroundWorker
  /** Seconds since the epoch. */
  expiresAt: number
}

/**
 * Puts every request to this server under a license.
 *
 * @throws ConfigError if the license permits nothing
 */
export async function startLicense(options: {
  needs: LicenseNeeds
  settings: LicenseSettings
  revocationsUrl: string | undefined
}): Promise<StartedLicense> {
  const { needs, settings, revocationsUrl } = options
  const { clock, database, isApi, held, log, pool, stopping } = needs
  const { license, issuerKeys } = settings
  const store = createLicenseStore(database)
  const claims = await readLicense(license, issuerKeys)
  if (claims === null)
    throw new ConfigError('VAANI_LICENSE is not signed by a key of VAANI_LICENSE_ISSUER_KEY, or is damaged')
  const kept = await store.findRevocations()
  let revocations: RevocationClaims | null = kept === null ? null : await readRevocations(kept, issuerKeys)
  const state = (): LicenseState => judgeLicense({ claims, revocations, nowMs: clock.nowMs() })
  const atStart = state()
  if (atStart === 'expired' || atStart === 'revoked')
    throw new ConfigError(`VAANI_LICENSE: ${describeState(atStart, claims)}. Ask its issuer for a new one`)
  await prepareAccount({ services: needs, admin: needs.admin, license, claims })

  const lease = needs.isWorker ? needs.lease : held.use(await startWorkerLease({ pool, log }))
  const seat = createSeat({ needs, store, lease, seats: claims.seats })
  const models = new Set(claims.models)
  needs.authenticator.limitBy((principal, isOwn) =>
    limitByLicense({ principal, claims, models, state: state(), hasSeat: seat.isHeld() || isOwn }),
  )

  async function readNewRevocations(): Promise<void> {
    if (revocationsUrl === undefined) return
    const read = await fetchRevocations({ url: revocationsUrl, issuerKeys, signal: stopping })
    // An older list may be a replay that hides a revocation.
    if (revocations !== null && read.claims.iat < revocations.iat) return
    revocations = read.claims
    await store.keepRevocations(read.token)
  }

  const warn = createWarning({ needs, state, claims })
  async function tick(): Promise<void> {
    warn()
    await seat.check()
  }
  await tick()
  if (isApi && !seat.isHeld())
    log.warn({ seats: claims.seats }, 'All seats of the license are taken; waiting for one')
  const report = (message: string) => (error: unknown) => {
    if (!stopping.aborted) log.warn({ error }, message)
  }
  const ticking = repeat({
    name: 'license',
    everyMs: SEAT_MS,
    firstMs: SEAT_MS,
    run: tick,
    onError: report('The seat could not be checked'),
  })
  const reading = repeat({
    name: 'revocations',
    everyMs: REVOCATIONS_MS,
    run: readNewRevocations,
    onError: report('The revocation list could not be read; the one that was read last applies'),
  })

  return {
    state,
    hasSeat: seat.isHeld,
    expiresAt: claims.exp,
    async refresh() {
      await readNewRevocations()
      await tick()
    },
    worker: {
      name: 'license',
      isWorking: () => (seat.isHeld() || !isApi) && ticking.isWorking(),
      stop: async () => {
        await Promise.all([ticking.stop(), reading.stop()])
      },
    },
  }
}

/** The seat of this server. What was last known stays while the database is away. */
function createSeat(options: {
  needs: LicenseNeeds
  store: LicenseStore
  lease: Pick<WorkerLease, 'current'>
  seats: number
}) {
  const { needs, store, lease, seats } = options
  let isHeld = false
  return {
    isHeld: () => isHeld,
    async check(): Promise<void> {
      const workerId = lease.current()?.workerId
      // Only servers that answer requests need a seat.
      if (!needs.isApi || workerId === undefined) return
      const had = isHeld
      isHeld = await store.takeSeat(workerId, seats)
      if (isHeld && !had) needs.log.info('This server has a seat of its license')
      if (!isHeld && had)
        needs.log.warn('This server has lost its seat: other servers have all seats of the license')
    },
  }
}

/** Creates a function that warns of a license that ends or has ended, and repeats it only after a while. */
function createWarning(options: {
  needs: LicenseNeeds
  state: () => LicenseState
  claims: LicenseClaims
}): () => void {
  const { needs, state, claims } = options
  let warned: { state: LicenseState; atMs: number } | null = null
  return () => {
    const current = state()
    const nowMs = needs.clock.nowMs()
    const message = describeState(current, claims)
    if (message === null || (warned?.state === current && nowMs < warned.atMs + WARNING_MS)) return
    warned = { state: current, atMs: nowMs }
    needs.log.warn({ state: current }, message)
  }
}
