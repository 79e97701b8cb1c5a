import {
  type CheckResult,
  type CheckRunner,
  decide,
  type ExtractedFields,
  type Policy,
} from '@vaani/identity-checks'
import type { Clock } from '../clock.ts'
import type { Events } from '../events.ts'
import { type BackgroundWorker, createPulse } from '../lifecycle/background-worker.ts'
import { endOf } from '../lifecycle/stop-deadline.ts'
import type { Logger } from '../log.ts'
import { openDataKey } from '../secrets/data-key.ts'
import { sealText } from '../secrets/sealed-bytes.ts'
import type { Vault } from '../secrets/vault.ts'
import { makeMediaFolder } from './media-folder.ts'
import type { MediaStore } from './media-store.ts'
import { sandboxChecks } from './sandbox.ts'
import type { VerificationRow, VerificationStore } from './store.ts'

const POLL_MS = 1000
const RENEW_MS = 5000

/** Runs the checks of pending verifications, and decides. When it stops, checks that outlast the grace are another worker's. */
export interface Verifier extends BackgroundWorker {
  /** A verification was submitted: takes it up now rather than at the next look. */
  wake(): void
}

export interface VerifierOptions {
  workerId: string
  /** Verifications at a time. */
  concurrency: number
  checkDirectory: string
  store: VerificationStore
  media: MediaStore
  runner: CheckRunner
  vault: Vault
  policyNamed: (name: string) => Policy
  clock: Clock
  events: Events
  log: Logger
}

const EVENTS = { approved: 'accepted', declined: 'rejected', review: 'check_needed' } as const

/** Each verification is leased: when the worker dies, another begins its checks anew. */
export function startVerifier(options: VerifierOptions): Verifier {
  const { workerId, concurrency, store, clock, events, log } = options
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  const pulse = createPulse()
  let stir = Promise.withResolvers<void>()
  let ended = false

  async function verify(row: VerificationRow): Promise<void> {
    const { checks, extracted } = await check(row)
    const { decision, reasons } = decide(checks, options.policyNamed(row.policy))
    const sealed =
      extracted === null || row.data_key === null
        ? null
        : sealText(
            JSON.stringify(extracted),
            dataPlace(row, openDataKey(options.vault, row.verification_id, row.data_key)),
          )
    const decided = await store.decide(row, workerId, {
      event: EVENTS[decision],
      checks,
      reasons,
      extracted: sealed,
    })
    if (decided === undefined) return
    events.record('verification_decided', { verification_id: row.verification_id, outcome: decision })
    if (!row.store_media) {
      await options.media.remove(row.artifacts)
      await store.eraseMedia(row, { keepData: true })
    }
  }

  async function check(
    row: VerificationRow,
  ): Promise<{ checks: readonly CheckResult[]; extracted: ExtractedFields | null }> {
    const simulated = sandboxChecks(row)
    if (simulated !== null) return { checks: simulated, extracted: null }
    await using folder = await makeMediaFolder(options.checkDirectory)
    const { verification_id: verificationId, data_key: sealedKey, artifacts } = row
    if (sealedKey === null) throw new Error('The media of a pending verification was erased')
    await options.media.unpack({ verificationId, sealedKey, artifacts, folder })
    const fileOf = (name: string) =>
      artifacts.some((artifact) => artifact.name === name) ? folder.file(name) : null
    const checks = [...row.checks]
    let keeping = Promise.resolve()
    const extracted = await options.runner.run({
      files: {
        frontImage: folder.file('front_image'),
        backImage: fileOf('back_image'),
        livenessVideo: folder.file('liveness_video'),
        referencePortrait: fileOf('reference_portrait'),
      },
      today: new Date(clock.nowMs()).toISOString().slice(0, 10),
      tell(result) {
        checks.push(result)
        const soFar = [...checks]
        // Only for those who look meanwhile: the decision writes all of them.
        keeping = keeping
          .then(() => store.keepChecks(row, soFar))
          .catch((error: unknown) =>
            log.warn({ error, verification_id: verificationId }, 'Partial scores were not kept'),
          )
      },
    })
    await keeping
    return { checks, extracted }
  }

  async function takeUp(): Promise<void> {
    const room = concurrency - running.size
    if (room <= 0) return pulse.beat()
    const claimed = await store.claim(workerId, room)
    pulse.beat()
    for (const row of claimed) {
      const { verification_id } = row
      const task = verify(row)
        // Its lease runs out, and it is begun anew.
        .catch((error: unknown) => {
          if (ended) log.info({ verification_id }, 'A verification is left to another worker')
          else log.error({ error, verification_id }, 'A verification could not be checked')
        })
        .finally(() => {
          running.delete(verification_id)
          stir.resolve()
        })
      running.set(verification_id, task)
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await takeUp().catch((error: unknown) => log.warn({ error }, 'The verifications wait for the database'))
      const timer = setTimeout(() => stir.resolve(), POLL_MS)
      await stir.promise
      clearTimeout(timer)
      stir = Promise.withResolvers()
    }
  }

  const renewer = setInterval(() => {
    if (running.size === 0) return
    store
      .renew([...running.keys()], workerId)
      .catch((error: unknown) => log.warn({ error }, 'The leases of verifications were not renewed'))
  }, RENEW_MS)
  const loop = run()
  return {
    name: 'verifications',
    wake: () => stir.resolve(),
    isWorking: pulse.isBeating,
    async stop({ graceOver, timeOver }) {
      stopping.abort()
      stir.resolve()
      await endOf(loop, timeOver)
      await endOf(Promise.all(running.values()), graceOver)
      ended = true
      // Its threads end, and so do the checks in them.
      await endOf(options.runner[Symbol.asyncDispose](), timeOver)
      await endOf(Promise.all(running.values()), timeOver)
      clearInterval(renewer)
    },
  }
}

/** Where what was read lies: bound to its verification. */
export const dataPlace = (row: Pick<VerificationRow, 'verification_id'>, key: Buffer) => ({
  key,
  place: `${row.verification_id}/extracted`,
})
