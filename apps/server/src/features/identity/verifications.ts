import type { Contract, Verification } from '@vaani/contracts'
import { decide, type ExtractedFields } from '@vaani/identity-checks'
import { ApiError } from '@vaani/service-kit/http/api-error'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { Tenant } from '@vaani/service-kit/tenant'
import { openDataKey } from '@vaani/service-kit/vault/data-key'
import { openText, sealText } from '@vaani/service-kit/vault/sealed-bytes'
import { createVerifier } from '@vaani/webhook-verifier'
import type { AppContext } from '../../context.ts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { consume } from '@vaani/service-kit/http/rate-limits'
import { ownerOf } from '../webhooks/secret-store.ts'
import type { VerificationRow } from './store.ts'
import { dataPlace } from './verifier.ts'
import { toVerification } from './view.ts'

type Identity = Contract['identity']

const REVIEW_EVENTS = { approved: 'review_approved', declined: 'review_declined' } as const

/** A verification of the tenant. An unknown id, another account's and another mode's are the same 404. */
async function requireVerification(
  { identity }: AppContext,
  tenant: Tenant,
  verificationId: string,
): Promise<VerificationRow> {
  const row = await identity.store.find(tenant, verificationId)
  if (row === undefined)
    throw new ApiError('verification_not_found', 'There is no such verification in this account')
  return row
}

/** GET /identity/verifications/{verification_id} */
export function retrieveVerification(context: AppContext): Handler<Identity['retrieve']> {
  return async ({ params, query, headers, request, reply }) => {
    const principal = principalOf(request)
    const row = await requireVerification(context, principal, params.verification_id)
    const { limiter } = context
    await consume({ name: 'status_polls', principal, reply, limiter, subject: row.verification_id })
    const signature = headers['x-service-signature']
    if (signature !== undefined) await requireSignature(context, principal, signature)
    if (query.include_media !== 'extracted') return { status: 200, body: toVerification(row) }
    return { status: 200, body: toVerification(row, await readExtracted(context, row)) }
  }
}

/** Over the raw body of the read, which is empty. Nothing matches where no secret was made. */
async function requireSignature(context: AppContext, tenant: Tenant, signature: string): Promise<void> {
  const found = await context.webhookSecrets.read(ownerOf(tenant))
  const named = Object.fromEntries((found?.secrets ?? []).map((secret, index) => [`secret ${index}`, secret]))
  const headers = { 'x-service-signature': signature }
  const result = found && (await createVerifier({ secrets: named }).verifySignature('', headers))
  if (!result?.ok)
    throw new ApiError('invalid_signature', 'x-service-signature: does not match the empty body', {
      param: 'x-service-signature',
    })
}

async function readExtracted({ vault }: AppContext, row: VerificationRow): Promise<ExtractedFields | null> {
  if (row.extracted === null || row.data_key === null) return null
  const key = openDataKey(vault, row.verification_id, row.data_key)
  return JSON.parse(openText(row.extracted, dataPlace(row, key)))
}

/** GET /identity/verifications */
export function listVerifications({ identity }: AppContext): Handler<Identity['list']> {
  return async ({ query: { limit, cursor, status, external_id: externalId }, request }) => {
    const tenant = principalOf(request)
    const rows = await identity.store.list({ tenant, limit: limit + 1, cursor, status, externalId })
    return { status: 200, body: toVerificationPage(rows, limit) }
  }
}

/** GET /identity/subjects/{external_id} */
export function readSubject({ identity }: AppContext): Handler<Identity['subject']> {
  return async ({ params, query: { limit, cursor }, request }) => {
    const rows = await identity.store.list({
      tenant: principalOf(request),
      limit: limit + 1,
      cursor,
      externalId: params.external_id,
    })
    return { status: 200, body: toVerificationPage(rows, limit) }
  }
}

const toVerificationPage = (rows: readonly VerificationRow[], limit: number) =>
  toPage<VerificationRow, Verification>({
    rows,
    limit,
    id: (row) => row.verification_id,
    view: (row) => toVerification(row),
  })

/** POST /identity/verifications/{verification_id}/review */
export function reviewVerification(context: AppContext): Handler<Identity['review']> {
  return async ({ params, body, request }) => {
    const principal = principalOf(request)
    const row = await requireVerification(context, principal, params.verification_id)
    const reviewed = await context.identity.store.review(principal, row.verification_id, {
      event: REVIEW_EVENTS[body.decision],
      keyId: principal.keyId,
      note: sealNote(context, row, body.note),
    })
    if (reviewed === undefined) throw new ApiError('state_conflict', 'The verification is not in review')
    context.events.record('verification_reviewed', {
      verification_id: row.verification_id,
      key_id: principal.keyId,
    })
    return { status: 200, body: toVerification(reviewed) }
  }
}

function sealNote({ vault }: AppContext, row: VerificationRow, note: string | undefined): Buffer | null {
  if (note === undefined || row.data_key === null) return null
  const key = openDataKey(vault, row.verification_id, row.data_key)
  return sealText(note, { key, place: `${row.verification_id}/note` })
}

/** POST /identity/verifications/{verification_id}/reconsider */
export function reconsiderVerification(context: AppContext): Handler<Identity['reconsider']> {
  return async ({ params, body, request }) => {
    const row = await requireVerification(context, principalOf(request), params.verification_id)
    if (row.status === 'pending') throw new ApiError('state_conflict', 'The checks have not ended')
    const policy = context.identity.policies.get(body.policy)
    if (policy === undefined)
      throw new ApiError('invalid_request', 'policy: there is none of this name', { param: 'policy' })
    const { decision, reasons } = decide(row.checks, policy)
    return {
      status: 200,
      body: { ...toVerification({ ...row, policy: policy.name, reasons: [...reasons] }), decision },
    }
  }
}

/** DELETE /identity/verifications/{verification_id}/media */
export function removeMedia({ identity, ...context }: AppContext): Handler<Identity['removeMedia']> {
  return async ({ params, request }) => {
    const row = await requireVerification(
      { identity, ...context },
      principalOf(request),
      params.verification_id,
    )
    if (row.status === 'pending') throw new ApiError('state_conflict', 'The checks have not ended')
    // The key first: what the store may keep of it afterwards is noise.
    await identity.store.eraseMedia(row, { keepData: false })
    await identity.media.remove(row.artifacts)
    return { status: 204, body: undefined }
  }
}
