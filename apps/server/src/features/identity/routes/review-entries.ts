import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { IdentityContext } from '../context.ts'
import { requireVerification } from '../require-verification.ts'
import { keepAnswer } from '../review/keep-answer.ts'
import { personOf } from '../review/person.ts'
import { sealNote } from '../review/seal-note.ts'
import { toEntries } from '../review/view.ts'

/** POST /identity/verifications/{verification_id}/review/notes */
export function addNote(context: IdentityContext): Handler<Contract['reviews']['addNote']> {
  return async ({ params, body, request }) => {
    const principal = principalOf(request)
    const row = await requireVerification(context, principal, params.verification_id)
    keepAnswer(request, row)
    if (row.status === 'pending') throw new ApiError('state_conflict', 'The checks have not finished')
    const entryId = context.makeId('entry')
    const note = sealNote(context, { row, entryId, text: body.note })
    const person = personOf(principal, body)
    const entry = await context.identity.reviews.record(
      row.verification_id,
      person,
      { type: 'note', note },
      entryId,
    )
    const [sent] = toEntries(context.vault, row, [entry])
    if (sent === undefined) throw new Error('An entry has no view')
    return { status: 201, body: sent }
  }
}

/** GET /identity/verifications/{verification_id}/review/history */
export function readHistory(context: IdentityContext): Handler<Contract['reviews']['history']> {
  return async ({ params, query: { limit, cursor }, request }) => {
    const row = await requireVerification(context, principalOf(request), params.verification_id)
    const rows = await context.identity.reviews.history(row.verification_id, { limit: limit + 1, cursor })
    const entries = toEntries(context.vault, row, rows)
    return {
      status: 200,
      body: toPage({ rows: entries, limit, id: ({ entry_id }) => entry_id, view: (entry) => entry }),
    }
  }
}
