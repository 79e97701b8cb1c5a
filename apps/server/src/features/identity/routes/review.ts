import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { openDataKey } from '@vaani/service-kit/vault/data-key'
import { sealText } from '@vaani/service-kit/vault/sealed-bytes'
import type { IdentityContext } from '../context.ts'
import { requireVerification } from '../require-verification.ts'
import type { VerificationRow } from '../tables.ts'
import { toVerification } from '../view.ts'

const REVIEW_EVENTS = { approved: 'review_approved', declined: 'review_declined' } as const

/** POST /identity/verifications/{verification_id}/review */
export function reviewVerification(context: IdentityContext): Handler<Contract['identity']['review']> {
  return async ({ params, body, request }) => {
    const principal = principalOf(request)
    const row = await requireVerification(context, principal, params.verification_id)
    if (request.idempotency) request.idempotency.objectId = row.verification_id
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

function sealNote({ vault }: IdentityContext, row: VerificationRow, note: string | undefined): Buffer | null {
  if (note === undefined || row.data_key === null) return null
  const key = openDataKey(vault, row.verification_id, row.data_key)
  return sealText(note, { key, place: `${row.verification_id}/note` })
}
