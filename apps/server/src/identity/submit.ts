import type { Readable } from 'node:stream'
import { readFile } from 'node:fs/promises'
import { ERRORS, LIMITS, type Verification } from '@vaani/contracts'
import {
  checkVideoIntegrity,
  type CheckResult,
  MediaError,
  openImage,
  requireDuration,
} from '@vaani/identity-checks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import type { StoredArtifact } from '../database/schema.ts'
import { ApiError } from '../http/api-error.ts'
import { principalOf } from '../http/authorize.ts'
import { requireDestination } from '../webhooks/require-destination.ts'
import { requireTenantSecret } from '../webhooks/rotate-secret.ts'
import { makeMediaFolder, type MediaFolder } from './media-folder.ts'
import { requirePendingWithinLimit, requireRoomForPending } from './pending-limit.ts'
import { readFormSubmission } from './read-form-submission.ts'
import { readJsonSubmission } from './read-json-submission.ts'
import { ARTIFACTS, type ReceivedArtifact } from './receive-artifact.ts'
import { SANDBOX_SPOOF } from './sandbox.ts'
import { mediaKey } from './media-store.ts'
import { makeDataKey } from './sealed-media.ts'
import type { Submission } from './submission.ts'
import { toVerification } from './view.ts'

type Answer = { status: 200; body: Verification }

const V1_DEPRECATED_SINCE_SECONDS = Date.UTC(2026, 10, 20) / 1000

/** POST /identity/kyc/v1 */
export function submitV1(context: AppContext) {
  return async ({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): Promise<Answer> => {
    reply.header('deprecation', `@${V1_DEPRECATED_SINCE_SECONDS}`)
    if (!request.isMultipart())
      throw new ApiError('unsupported_media_type', 'Send multipart/form-data with a boundary')
    return submit(context, request, (intake) => readFormSubmission({ parts: request.parts(), ...intake }))
  }
}

/** POST /identity/kyc/v2 */
export function submitV2(context: AppContext) {
  return async ({ body, request }: { body: Readable; request: FastifyRequest }): Promise<Answer> =>
    submit(context, request, (intake) => readJsonSubmission({ source: body, ...intake }))
}

/** Where a submission goes while it comes in. */
interface Intake {
  folder: MediaFolder
  accountId: string
  vault: AppContext['vault']
  onReceived: (artifact: ReceivedArtifact) => void
}

async function submit(
  context: AppContext,
  request: FastifyRequest,
  read: (intake: Intake) => Promise<Submission>,
): Promise<Answer> {
  const principal = principalOf(request)
  const { accountId, livemode } = principal
  await requireRoomForPending(context.database, principal)
  await using folder = await makeMediaFolder(context.identity.intakeDirectory)
  const verificationId = context.makeId('verification')
  const { key, sealed } = makeDataKey(context.vault, verificationId)
  const taking: Promise<TakenArtifact>[] = []
  try {
    const submission = await read({
      folder,
      accountId,
      vault: context.vault,
      // The document is opened and kept while the video is still on its way.
      onReceived(artifact) {
        const taken = takeIn(context, artifact, { verificationId, key })
        // Told below, unless the submission fails before.
        taken.catch(() => undefined)
        taking.push(taken)
      },
    })
    const { version, externalId, callbackUrl, storeMedia } = submission
    if (callbackUrl !== null) {
      await requireDestination(context, callbackUrl, 'callback_url')
      await requireTenantSecret(context, principal, 'callback_url')
    }
    const taken = await Promise.all(taking)
    if (taken.some(({ recapture }) => recapture?.outcome === 'failed')) refuseSpoof()
    const integrity = taken.find((artifact) => artifact.integrity)?.integrity
    if (integrity === undefined) throw new Error('A submission without a video was accepted')
    if (!livemode && externalId === SANDBOX_SPOOF) refuseSpoof()
    const fingerprints = [...submission.artifacts.values()].map(({ fingerprint }) => fingerprint)
    const isReused = await context.identity.store.isReused(principal, fingerprints, externalId)
    const kept = taken.map((artifact) => artifact.kept)
    const row = {
      verification_id: verificationId,
      account_id: accountId,
      version,
      status: 'pending' as const,
      livemode,
      external_id: externalId,
      callback_url: callbackUrl,
      store_media: storeMedia,
      data_key: sealed,
      artifacts: JSON.stringify(kept),
      checks: JSON.stringify([integrity, reuseResult(isReused)]),
      reasons: '[]',
      policy: await readPolicyName(context, accountId),
      extracted: null,
      worker_id: null,
      lease_expires_at: null,
      created_at: new Date(context.clock.nowMs()),
      decided_at: null,
      media_erased_at: null,
      reviewed_by: null,
      review_note: null,
    }
    const body = toVerification({ ...row, artifacts: kept, checks: [integrity], reasons: [] })
    const claim = request.idempotency
    await context.identity.store.create(row, fingerprints, async (client) => {
      await requirePendingWithinLimit({ database: context.database, client, principal })
      const answer = { status: 200, body: JSON.stringify(body) }
      if (claim !== null) await context.idempotency.keep(claim, answer, client)
    })
    context.events.record('verification_submitted', {
      verification_id: verificationId,
      account_id: accountId,
    })
    context.identity.verifier?.wake()
    return { status: 200, body }
  } catch (error) {
    // They read what goes with the folder, and keep what nobody will ask for.
    await Promise.allSettled(taking)
    await context.identity.media.remove(ARTIFACTS.map((name) => ({ key: mediaKey(verificationId, name) })))
    throw error
  }
}

/** The policy is that of the submission's time: a later change decides later submissions. */
async function readPolicyName({ database, identity }: AppContext, accountId: string): Promise<string> {
  const account = await database
    .selectFrom('accounts')
    .where('account_id', '=', accountId)
    .select('identity_policy')
    .executeTakeFirstOrThrow()
  return identity.policyOf(account).name
}

interface TakenArtifact {
  kept: StoredArtifact
  /** Of the video. */
  integrity?: CheckResult
  /** Of the front; missing where no thread was free to look. */
  recapture?: CheckResult
}

/** Keeps an artifact, and tells what can be told at once: types, sizes, length, and a screen that was photographed. */
async function takeIn(
  { identity }: AppContext,
  { name, file, bytes }: ReceivedArtifact,
  place: { verificationId: string; key: Buffer },
): Promise<TakenArtifact> {
  try {
    if (name === 'liveness_video') {
      const [video, kept] = await both(
        identity.probe.probe(file),
        identity.media.keep({ ...place, name, content: file, bytes }),
      )
      requireDuration(video, {
        minSeconds: LIMITS.liveVideoSecondsMin,
        maxSeconds: LIMITS.liveVideoSecondsMax,
      })
      return { kept, integrity: checkVideoIntegrity(video) }
    }
    const { jpeg } = await openImage(await readFile(file))
    const [kept, recapture] = await both(
      identity.media.keep({ ...place, name, content: jpeg, bytes: jpeg.length }),
      name === 'front_image' ? identity.runner.checkRecaptureNow(file) : null,
    )
    return recapture === null ? { kept } : { kept, recapture }
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    throw new ApiError('media_unreadable', `${name}: ${error.message}`, { param: name, cause: error })
  }
}

/** Both, and nothing is under way any more when one of them fails. */
async function both<First, Second>(first: First, second: Second): Promise<[Awaited<First>, Awaited<Second>]> {
  await Promise.allSettled([first, second])
  return Promise.all([first, second])
}

function refuseSpoof(): never {
  throw new ApiError('spoof_detected', ERRORS.spoof_detected.description, { param: 'front_image' })
}

const reuseResult = (isReused: boolean): CheckResult => ({
  check: 'reused_media',
  outcome: isReused ? 'warning' : 'passed',
  code: isReused ? 'media_reused' : 'media_new',
  score: isReused ? 0 : 1,
  evidence: {},
  model: 'keyed-digest/1',
})
