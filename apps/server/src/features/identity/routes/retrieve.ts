import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { consume } from '@vaani/service-kit/http/limits/rate-limits'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { Tenant } from '@vaani/service-kit/tenant'
import { createVerifier } from '@vaani/webhook-verifier'
import { ownerOf } from '../../webhooks/port.ts'
import type { IdentityContext } from '../context.ts'
import { openExtracted } from '../extracted.ts'
import { requireVerification } from '../require-verification.ts'
import { toVerification } from '../view.ts'

/** GET /identity/verifications/{verification_id} */
export function retrieveVerification(context: IdentityContext): Handler<Contract['identity']['retrieve']> {
  return async ({ params, query, headers, request, reply }) => {
    const principal = principalOf(request)
    const row = await requireVerification(context, principal, params.verification_id)
    const { limiter } = context
    if (row.status === 'pending')
      await consume({ name: 'status_polls', principal, reply, limiter, subject: row.verification_id })
    else await consume({ name: 'verification_reads', principal, reply, limiter })
    const signature = headers['x-service-signature']
    if (signature !== undefined) await requireSignature(context, principal, signature)
    if (query.include_media !== 'extracted') return { status: 200, body: toVerification(row) }
    return { status: 200, body: toVerification(row, openExtracted(context.vault, row)) }
  }
}

/** Verifies a signature over the raw request body, which is empty. Without a secret, no signature matches. */
async function requireSignature(context: IdentityContext, tenant: Tenant, signature: string): Promise<void> {
  const found = await context.webhooks.secrets.read(ownerOf(tenant))
  const named = Object.fromEntries((found?.secrets ?? []).map((secret, index) => [`secret ${index}`, secret]))
  const headers = { 'x-service-signature': signature }
  const result = found && (await createVerifier({ secrets: named }).verifySignature('', headers))
  if (!result?.ok)
    throw new ApiError('invalid_signature', 'x-service-signature: does not match the empty body', {
      param: 'x-service-signature',
    })
}
