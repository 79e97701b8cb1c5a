import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { IdentityContext } from '../context.ts'
import { requireVerification } from '../require-verification.ts'
import { personOf } from '../review/person.ts'
import { sealNote } from '../review/seal-note.ts'
import { toVerification } from '../view.ts'

/** POST /identity/verifications/{verification_id}/review */
export function reviewVerification(context: IdentityContext): Handler<Contract['identity']['review']> {
  return async ({ params, body, request }) => {
    const principal = principalOf(request)
    const row = await requireVerification(context, principal, params.verification_id)
    const { verification_id } = row
    if (request.idempotency) request.idempotency.objectId = verification_id
    if (row.status !== 'review') throw notInReview()
    const entryId = context.makeId('entry')
    const reviewed = await context.identity.reviews.vote(principal, verification_id, {
      person: personOf(principal, body),
      decision: body.decision,
      reasons: body.reasons ?? [],
      note: body.note === undefined ? null : sealNote(context, { row, entryId, text: body.note }),
      entryId,
      needed: context.identity.policyNamed(row.policy).reviewers,
    })
    if (reviewed === undefined) throw notInReview()
    context.events.record('verification_reviewed', { verification_id, key_id: principal.keyId })
    return { status: 200, body: toVerification(reviewed) }
  }
}

const notInReview = () => new ApiError('state_conflict', 'The verification is not in review')
