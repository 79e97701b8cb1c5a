import type { Contract, Review } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { IdentityContext } from '../context.ts'
import { requireVerification } from '../require-verification.ts'
import { keepAnswer } from '../review/keep-answer.ts'
import { personOf } from '../review/person.ts'
import { sealNote } from '../review/seal-note.ts'
import { toReview } from '../review/view.ts'
import type { VerificationRow } from '../tables.ts'

type Reviews = Contract['reviews']

/** Converts verifications to what their reviewers see, with one query for all votes. */
async function toReviews(
  { identity, vault, clock }: IdentityContext,
  rows: readonly VerificationRow[],
): Promise<(row: VerificationRow) => Review> {
  const votes = await identity.reviews.votes(rows.map(({ verification_id }) => verification_id))
  return (row) =>
    toReview(row, {
      vault,
      nowMs: clock.nowMs(),
      policy: identity.policyNamed(row.policy),
      votes: votes.filter(({ verification_id }) => verification_id === row.verification_id),
    })
}

const reviewOf = async (context: IdentityContext, row: VerificationRow): Promise<Review> =>
  (await toReviews(context, [row]))(row)

/** GET /identity/reviews */
export function listReviews(context: IdentityContext): Handler<Reviews['list']> {
  return async ({ query, request }) => {
    const { limit, cursor, claimed, created_before: before, created_after: after } = query
    const rows = await context.identity.reviews.list({
      tenant: principalOf(request),
      limit: limit + 1,
      cursor,
      waitingFor: query.waiting_for,
      isClaimed: claimed === undefined ? undefined : claimed === 'true',
      claimedBy: query.claimed_by,
      reason: query.reason,
      policy: query.policy,
      externalId: query.external_id,
      createdBefore: before === undefined ? undefined : new Date(before),
      createdAfter: after === undefined ? undefined : new Date(after),
    })
    const view = await toReviews(context, rows)
    return { status: 200, body: toPage({ rows, limit, id: ({ verification_id }) => verification_id, view }) }
  }
}

/** GET /identity/reviews/counts */
export function countReviews({ identity }: IdentityContext): Handler<Reviews['counts']> {
  return async ({ request }) => ({ status: 200, body: await identity.reviews.counts(principalOf(request)) })
}

/** POST /identity/reviews/claim */
export function claimNextReview(context: IdentityContext): Handler<Reviews['claimNext']> {
  return async ({ body, request }) => {
    const principal = principalOf(request)
    const row = await context.identity.reviews.claimNext(principal, personOf(principal, body))
    if (row) keepAnswer(request, row)
    return { status: 200, body: { review: row ? await reviewOf(context, row) : null } }
  }
}

/** GET /identity/verifications/{verification_id}/review */
export function retrieveReview(context: IdentityContext): Handler<Reviews['retrieve']> {
  return async ({ params, request }) => {
    const row = await requireVerification(context, principalOf(request), params.verification_id)
    return { status: 200, body: await reviewOf(context, row) }
  }
}

/** POST /identity/verifications/{verification_id}/review/ask */
export function askAgain(context: IdentityContext): Handler<Reviews['ask']> {
  return async ({ params, body, request }) => {
    const principal = principalOf(request)
    const found = await requireVerification(context, principal, params.verification_id)
    keepAnswer(request, found)
    if (found.status !== 'review') throw notInReview()
    const entryId = context.makeId('entry')
    const row = await context.identity.reviews.ask(principal, found.verification_id, {
      person: personOf(principal, body),
      artifact: body.artifact,
      problem: body.problem,
      note: body.note === undefined ? null : sealNote(context, { row: found, entryId, text: body.note }),
      entryId,
    })
    if (row === undefined) throw notInReview()
    return { status: 200, body: await reviewOf(context, row) }
  }
}

const notInReview = () => new ApiError('state_conflict', 'The verification is not in review')

const changeClaim =
  (context: IdentityContext, change: 'claim' | 'release'): Handler<Reviews['claim' | 'release']> =>
  async ({ params, body, request }) => {
    const principal = principalOf(request)
    const found = await requireVerification(context, principal, params.verification_id)
    keepAnswer(request, found)
    const person = personOf(principal, body)
    const row = await context.identity.reviews[change](principal, found.verification_id, person)
    if (row === undefined) throw notInReview()
    return { status: 200, body: await reviewOf(context, row) }
  }

/** POST /identity/verifications/{verification_id}/review/claim */
export const claimReview = (context: IdentityContext): Handler<Reviews['claim']> =>
  changeClaim(context, 'claim')

/** POST /identity/verifications/{verification_id}/review/release */
export const releaseReview = (context: IdentityContext): Handler<Reviews['release']> =>
  changeClaim(context, 'release')
