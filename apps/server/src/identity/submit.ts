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
import { makeMediaFolder, type MediaFolder } from './media-folder.ts'
import { readFormSubmission } from './read-form-submission.ts'
import { readJsonSubmission } from './read-json-submission.ts'
import type { ArtifactName, ReceivedArtifact } from './receive-artifact.ts'
import { SANDBOX_SPOOF } from './sandbox.ts'
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
  await using folder = await makeMediaFolder(context.identity.intakeDirectory)
  const opening: Promise<OpenedArtifact>[] = []
  const submission = await read({
    folder,
    accountId,
    vault: context.vault,
    // The document is opened while the video is still on its way.
    onReceived(artifact) {
      const opened = openArtifact(context, artifact)
      // Told below, unless the submission fails before.
      opened.catch(() => undefined)
      opening.push(opened)
    },
  }).catch(async (error: unknown) => {
    // They read what goes with the folder.
    await Promise.allSettled(opening)
    throw error
  })
  const { version, externalId, callbackUrl, storeMedia } = submission
  if (callbackUrl !== null) await requireDestination(context, callbackUrl, 'callback_url')

  await Promise.allSettled(opening)
  const opened = await Promise.all(opening)
  if (opened.some(({ recapture }) => recapture?.outcome === 'failed')) refuseSpoof()
  const integrity = opened.find((artifact) => artifact.integrity)?.integrity
  if (integrity === undefined) throw new Error('A submission without a video was accepted')
  if (!livemode && externalId === SANDBOX_SPOOF) refuseSpoof()
  const fingerprints = [...submission.artifacts.values()].map(({ fingerprint }) => fingerprint)
  const isReused = await context.identity.store.isReused(accountId, fingerprints, externalId)
  const verificationId = context.makeId('verification')
  const dataKey = makeDataKey(context.vault, verificationId)
  const kept: StoredArtifact[] = []
  try {
    for (const { name, content, bytes } of opened)
      kept.push(await context.identity.media.keep({ verificationId, name, key: dataKey.key, content, bytes }))
    const row = {
      verification_id: verificationId,
      account_id: accountId,
      version,
      status: 'pending' as const,
      livemode,
      external_id: externalId,
      callback_url: callbackUrl,
      store_media: storeMedia,
      data_key: dataKey.sealed,
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
    await context.identity.media.remove(
      opened.map(({ name }) => ({ key: `identity/${verificationId}/${name}` })),
    )
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

interface OpenedArtifact {
  name: ArtifactName
  /** What is kept: a file, or a picture that was written anew. */
  content: string | Buffer
  bytes: number
  /** Of the video. */
  integrity?: CheckResult
  /** Of the front; missing where no thread was free to look. */
  recapture?: CheckResult
}

/** What can be told at once: types, sizes, length, and a screen that was photographed. */
async function openArtifact(
  { identity }: AppContext,
  { name, file, bytes }: ReceivedArtifact,
): Promise<OpenedArtifact> {
  try {
    if (name === 'liveness_video') {
      const video = await identity.probe.probe(file)
      requireDuration(video, {
        minSeconds: LIMITS.liveVideoSecondsMin,
        maxSeconds: LIMITS.liveVideoSecondsMax,
      })
      return { name, content: file, bytes, integrity: checkVideoIntegrity(video) }
    }
    const { jpeg } = await openImage(await readFile(file))
    const opened = { name, content: jpeg, bytes: jpeg.length }
    const recapture = name === 'front_image' ? await identity.runner.checkRecaptureNow(file) : null
    return recapture === null ? opened : { ...opened, recapture }
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    throw new ApiError('media_unreadable', `${name}: ${error.message}`, { param: name, cause: error })
  }
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
