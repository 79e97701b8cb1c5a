import { availableParallelism } from 'node:os'
import {
  type CheckRunner,
  type CheckRunnerOptions,
  createCheckRunner,
  type EngineSettings,
  type Policy,
} from '@vaani/identity-checks'
import { useLanguageData } from '@vaani/identity-checks/ocr'
import type { BlobStore } from '@vaani/service-kit/blobs/blob-store'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { IdempotencyStore } from '@vaani/service-kit/http/idempotency/idempotency'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import { STOP_NOW } from '@vaani/service-kit/lifecycle/stop-deadline'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Vault } from '@vaani/service-kit/vault/vault'
import type { Pool } from 'pg'
import { createErasure, type Erasure } from './erasure.ts'
import type { IdentityEvent } from './events.ts'
import { createIntakes, type Intakes } from './intake/intakes.ts'
import { createUploadPace, type UploadPace } from './intake/upload-pace.ts'
import { loadTemplates } from './load-templates.ts'
import { loadPolicies, type Policies } from './load-policies.ts'
import { createMediaStore, type MediaStore } from './media-store.ts'
import { followVerifications, type IdentityMetrics } from './metrics.ts'
import { createReviewStore, type ReviewStore } from './review/review-store.ts'
import type { IdentitySettings } from './settings.ts'
import type { IdentitySpans } from './spans.ts'
import { startRunners } from './start-runners.ts'
import { createVerificationStore, type VerificationStore } from './store.ts'
import { startVerifier, type Verifier } from './verifier.ts'

/** The parts of identity verification. */
export interface Identity {
  store: VerificationStore
  media: MediaStore
  reviews: ReviewStore
  runner: CheckRunner
  policies: Policies['byName']
  /** What reads photographs, besides tesseract. */
  photos: Pick<EngineSettings, 'photoReader' | 'directory'>
  /** Returns the account's own policy, or else the server's. */
  policyOf(account: { identity_policy: string | null }): Policy
  /** Returns the policy of that name, or else the server's. */
  policyNamed(name: string): Policy
  /** Directory for unencrypted media while it is received. */
  intakeDirectory: string
  intakes: Intakes
  uploadPace: UploadPace
  /** Null in a process without the role `worker`. */
  verifier: Verifier | null
  erasure: Erasure
}

/** Time to remove the files of uploads that a stop has interrupted. */
const INTAKES_SETTLE_MS = 5000

export interface IdentityNeeds {
  settings: IdentitySettings
  isWorker: boolean
  lease: WorkerLease
  /** Folder of this process for unencrypted media. */
  unsealed: { path: string }
  pool: Pool
  database: Db
  blobs: BlobStore
  vault: Vault
  idempotency: IdempotencyStore
  clock: Clock
  makeId: IdMaker
  events: Events<IdentityEvent>
  metrics: IdentityMetrics
  spans: IdentitySpans
  log: Logger
  onEvents: () => void
  held: AsyncDisposableStack
}

export async function startIdentity(needs: IdentityNeeds): Promise<Identity> {
  const { settings, isWorker, database, blobs, vault, clock, metrics, log, held } = needs
  const { path: unsealedDirectory } = needs.unsealed
  useLanguageData(settings.engines.directory)
  const policies = await loadPolicies(settings)
  // If the operator has removed an account's policy, the standard one applies.
  const policyNamed = (name: string | null) => policies.byName.get(name ?? '') ?? policies.standard
  // An account may use all but one of these slots, so that one is always left for other accounts.
  const places = Math.max(2, availableParallelism())
  const runnerOptions: CheckRunnerOptions = {
    places,
    templates: await loadTemplates(settings.identityTemplates),
    onTrouble({ job, end, engineProblem }) {
      metrics.unfinished.add({ outcome: end })
      log.warn({ operation: job, outcome: end, reason: engineProblem }, 'A check did not finish')
    },
  }
  const runners = isWorker ? await startRunners({ ...runnerOptions, settings, held }) : null
  // Intake needs no engine, and so shares the processes of a mode.
  const runner = runners?.live ?? held.use(createCheckRunner(runnerOptions))
  const store = createVerificationStore(needs)
  const media = createMediaStore({ blobs, vault })
  const verifier = runners
    ? startVerifier({
        ...needs,
        concurrency: places,
        perAccount: places - 1,
        checkDirectory: unsealedDirectory,
        store,
        media,
        runners,
        policyNamed,
        onLost: () => metrics.lostLeases.add({}),
      })
    : null
  const intakes = createIntakes(unsealedDirectory)
  held.defer(() => intakes.settle(INTAKES_SETTLE_MS))
  if (verifier) {
    held.defer(() => verifier.stop(STOP_NOW))
    followVerifications(metrics, { verifier, places, database, clock })
  }
  return {
    store,
    media,
    reviews: createReviewStore({ ...needs, store, policyNamed }),
    runner,
    policies: policies.byName,
    photos: settings.engines,
    policyOf: ({ identity_policy: name }) => policyNamed(name),
    policyNamed,
    intakeDirectory: unsealedDirectory,
    intakes,
    uploadPace: createUploadPace(),
    verifier,
    erasure: createErasure({ ...needs, store, media, retentionDays: settings.mediaRetentionDays }),
  }
}
