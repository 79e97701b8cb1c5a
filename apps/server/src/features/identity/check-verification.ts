import type { CheckResult, CheckRunner, ExtractedFields } from '@vaani/identity-checks'
import type { Clock } from '@vaani/service-kit/clock'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Vault } from '@vaani/service-kit/vault/vault'
import { makeMediaFolder } from './intake/media-folder.ts'
import type { MediaStore } from './media-store.ts'
import { type DocumentDigests, digestsOf, NO_DIGESTS } from './reuse.ts'
import { giveUp, MAX_ATTEMPTS } from './rules/attempts.ts'
import { lastToday } from './rules/last-today.ts'
import { sandboxChecks } from './rules/sandbox.ts'
import type { VerificationStore } from './store.ts'
import type { VerificationRow } from './tables.ts'

/** What the checks of a verification found. */
export interface Checked {
  checks: readonly CheckResult[]
  extracted: ExtractedFields | null
  /** Null if the media is not to be compared with what was submitted before. */
  digests: DocumentDigests | null
}

/** Runners of the checks of each mode; one for both if they have the same engines. */
export interface Runners<Runner = Pick<CheckRunner, 'run'> & AsyncDisposable> {
  readonly test: Runner
  readonly live: Runner
}

export interface CheckerOptions {
  /** Folder for unencrypted media. */
  checkDirectory: string
  store: Pick<VerificationStore, 'keepChecks'>
  media: MediaStore
  runners: Runners
  vault: Vault
  clock: Clock
  log: Logger
}

/** Makes a function that runs the checks of a verification, or gives them up after too many attempts. */
export function createChecker(options: CheckerOptions): (row: VerificationRow) => Promise<Checked> {
  const { store, media, runners, vault, clock, log } = options

  /** Stores partial results, one write at a time. Only for reads in the meantime; the decision writes all results. */
  function createKeeper(row: VerificationRow) {
    let keeping = Promise.resolve()
    return {
      keep(checks: readonly CheckResult[]) {
        keeping = keeping
          .then(() => store.keepChecks(row, checks))
          .catch((error: unknown) =>
            log.warn({ error, verification_id: row.verification_id }, 'Partial scores could not be stored'),
          )
      },
      ended: () => keeping,
    }
  }

  async function check(row: VerificationRow): Promise<Checked> {
    await using folder = await makeMediaFolder(options.checkDirectory)
    const { verification_id: verificationId, data_key: sealedKey, artifacts } = row
    if (sealedKey === null) throw new Error('The media of a pending verification was erased')
    await media.unpack({ verificationId, sealedKey, artifacts, folder })
    const fileOf = (name: string) =>
      artifacts.some((artifact) => artifact.name === name) ? folder.file(name) : null
    // Start from the results of the submission and of earlier, unfinished attempts.
    const checks = new Map(row.checks.map((result) => [result.check, result]))
    const keeper = createKeeper(row)
    const ending = runners[row.livemode ? 'live' : 'test'].run({
      owner: row.account_id,
      known: [...checks.keys()],
      files: {
        frontImage: folder.file('front_image'),
        backImage: fileOf('back_image'),
        livenessVideo: folder.file('liveness_video'),
        referencePortrait: fileOf('reference_portrait'),
      },
      today: lastToday(clock.nowMs()),
      tell(result) {
        checks.set(result.check, result)
        keeper.keep([...checks.values()])
      },
    })
    // Store them even if the checks do not finish, because the next attempt starts from them.
    const read = await ending.finally(() => keeper.ended())
    return { checks: [...checks.values()], extracted: read.fields, digests: digestsOf(vault, row, read) }
  }

  return async (row) => {
    if (row.attempts > MAX_ATTEMPTS)
      return { checks: giveUp(row.checks), extracted: null, digests: NO_DIGESTS }
    const simulated = sandboxChecks(row)
    return simulated === null ? check(row) : { checks: simulated, extracted: null, digests: null }
  }
}
