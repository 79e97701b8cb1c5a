import { type ArtifactName, ERRORS, type Id, type SentVerification } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { StreamedRoute } from '@vaani/service-kit/http/body/streamed-route'
import { currentTraceparent } from '@vaani/service-kit/telemetry/active-span'
import type { Tenant } from '@vaani/service-kit/tenant'
import { sealDataKey } from '@vaani/service-kit/vault/data-key'
import type { FastifyRequest } from 'fastify'
import type { IdentityContext } from './context.ts'
import { receiveSubmission, type ReceivedSubmission } from './intake/receive-submission.ts'
import type { Intake, Submission } from './intake/submission.ts'
import { pendingLimit } from './pending-limit.ts'
import { recaptureOf } from './rules/recapture.ts'
import { isSandboxSpoof } from './rules/sandbox.ts'
import { toVerification } from './view.ts'

export type Answer = { status: 200; body: SentVerification }

export async function receive(
  context: IdentityContext,
  request: FastifyRequest,
  read: (intake: Intake) => Promise<Submission>,
): ReturnType<StreamedRoute<Answer>> {
  // Skip this early check with an Idempotency-Key, because a replay needs no room. The transaction below checks exactly.
  if (request.headers['idempotency-key'] === undefined)
    await pendingLimit.requireRoom(context.database, principalOf(request))
  const received = await receiveSubmission(context, request, read)
  return { ...received, act: () => submit(context, request, received) }
}

async function submit(
  context: IdentityContext,
  request: FastifyRequest,
  { fields, files, inspected, media }: ReceivedSubmission,
): Promise<Answer> {
  const principal = principalOf(request)
  const { accountId, livemode } = principal
  const { version, externalId, callbackUrl, storeMedia } = fields
  if (callbackUrl !== null) await requireCallback(context, principal, callbackUrl)
  const artifacts = await inspected()
  const spoof = artifacts.find(({ recapture }) => recapture?.outcome === 'failed')
  if (spoof !== undefined) refuseSpoof(spoof.name)
  if (!livemode && isSandboxSpoof(externalId)) refuseSpoof('front_image')
  const recapture = recaptureOf(artifacts.flatMap((artifact) => artifact.recapture ?? []))
  const found = [...artifacts.map(({ integrity }) => integrity), recapture].filter(
    (one) => one !== undefined && one !== null,
  )
  const fingerprints = Array.from(files.values(), ({ fingerprint }) => fingerprint)

  const verificationId = context.makeId('verification')
  const policy = await readPolicyName(context, accountId)
  const kept = await media.keep(artifacts)
  const row = {
    verification_id: verificationId,
    account_id: accountId,
    version,
    status: 'pending' as const,
    livemode,
    external_id: externalId,
    callback_url: callbackUrl,
    store_media: storeMedia,
    data_key: sealDataKey(context.vault, verificationId, media.key),
    artifacts: JSON.stringify(kept),
    checks: JSON.stringify(found),
    reasons: '[]',
    policy,
    extracted: null,
    worker_id: null,
    not_before: null,
    lease_expires_at: null,
    created_at: new Date(context.clock.nowMs()),
    decided_at: null,
    media_erased_at: null,
    reviewed_by: null,
    traceparent: currentTraceparent(),
  }
  const body = toVerification({ ...row, checks: found, reasons: [] }, null)
  const claim = request.idempotency
  try {
    await context.identity.store.create(row, fingerprints, async (client) => {
      await pendingLimit.requireWithinLimit({ database: context.database, client, principal })
      const answer = { status: 200, body: JSON.stringify(body) }
      if (claim === null) return
      claim.objectId = verificationId
      await context.idempotency.keep(claim, answer, client)
    })
  } catch (error) {
    // The commit may have succeeded even if its confirmation was lost.
    const found = await context.identity.store.find(principal, verificationId).catch(() => null)
    if (found === undefined) await context.identity.media.remove(kept)
    throw error
  }
  context.events.record('verification_submitted', {
    verification_id: verificationId,
    account_id: accountId,
  })
  context.identity.verifier?.wake()
  return { status: 200, body }
}

/** @throws ApiError if the final decision could not be sent to the URL */
export async function requireCallback(
  { webhooks }: Pick<IdentityContext, 'webhooks'>,
  tenant: Tenant,
  callbackUrl: string,
): Promise<void> {
  await webhooks.requireDestination(callbackUrl, 'callback_url')
  await webhooks.requireTenantSecret(tenant, 'callback_url')
}

/** Reads the account's policy at submission. Later changes only apply to later submissions. */
async function readPolicyName(
  { database, identity }: IdentityContext,
  accountId: Id<'account'>,
): Promise<string> {
  const account = await database
    .selectFrom('accounts')
    .where('account_id', '=', accountId)
    .select('identity_policy')
    .executeTakeFirstOrThrow()
  return identity.policyOf(account).name
}

function refuseSpoof(param: ArtifactName): never {
  throw new ApiError('spoof_detected', ERRORS.spoof_detected.description, { param })
}
