import { z } from 'zod'
import { reviewerSchema } from '../identity/decide-review.ts'
import { externalIdSchema } from '../identity/resources.ts'
import { verificationPath } from '../identity/routes.ts'
import { timeSchema } from '../shared/checks.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema, pageSchema } from '../shared/pagination.ts'
import { binaryBodySchema, defineRoute, described } from '../shared/route.ts'
import { lineSchema } from '../shared/text.ts'
import {
  addNoteSchema,
  askAgainSchema,
  ARTIFACT_NAMES,
  claimedReviewSchema,
  framesSchema,
  reviewActionSchema,
  reviewCountsSchema,
  reviewEntrySchema,
  reviewSchema,
  WAITING_FOR,
} from './resources.ts'

const CLAIM = `${LIMITS.reviewClaimMinutes} minutes`
const shared = { scope: 'identity:review', beyondSpecification: true } as const
const errors = ['verification_not_found', 'state_conflict'] as const

const reasonCodeSchema = lineSchema.min(1).max(100)

/** The work of people on verifications in `review`. */
export const reviewRoutes = {
  list: defineRoute({
    ...shared,
    operation: 'reviews.list',
    method: 'GET',
    path: '/identity/reviews',
    summary: 'List the queue of reviews',
    description:
      'Lists the verifications in `review` that wait for a reviewer, the oldest first. Filters may be combined.',
    query: pageQuerySchema('verification').extend({
      waiting_for: z
        .enum(WAITING_FOR)
        .default('reviewer')
        .meta({ description: '`person` lists those of which a picture or the video was asked for again.' }),
      claimed: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: 'Only those that somebody works on, or that nobody works on.' }),
      claimed_by: described(
        reviewerSchema,
        'Only those that this person works on: the `reviewer` that a request named, or the id of a key.',
      ).optional(),
      reason: reasonCodeSchema.optional().meta({ description: 'Only those with a reason of this code.' }),
      policy: lineSchema.min(1).max(100).optional().meta({ description: 'Only those of this policy.' }),
      external_id: described(externalIdSchema, 'Only those of this person.').optional(),
      created_before: described(timeSchema, 'Only those submitted before this time.').optional(),
      created_after: described(timeSchema, 'Only those submitted at or after this time.').optional(),
    }),
    success: { 200: pageSchema(reviewSchema) },
  }),
  counts: defineRoute({
    ...shared,
    operation: 'reviews.counts',
    method: 'GET',
    path: '/identity/reviews/counts',
    summary: 'Count the queue of reviews',
    description:
      'Returns how many reviews wait, since when, and how many are overdue, by policy and by reason.',
    success: { 200: reviewCountsSchema },
  }),
  claimNext: defineRoute({
    ...shared,
    operation: 'reviews.claimNext',
    method: 'POST',
    path: '/identity/reviews/claim',
    summary: 'Claim the next review',
    description:
      `Claims the oldest review that nobody works on, for ${CLAIM}, passing over those that wait for the person or that the reviewer has voted on. No two ` +
      'requests get the same one.',
    body: reviewActionSchema,
    success: { 200: claimedReviewSchema },
  }),
  retrieve: defineRoute({
    ...shared,
    operation: 'reviews.retrieve',
    method: 'GET',
    path: '/identity/verifications/:verification_id/review',
    summary: 'Read a review',
    description:
      'Returns every check with its evidence and thresholds, the media that is kept, and who works on it or has voted. Works for ' +
      'a verification in any status.',
    pathParams: verificationPath,
    success: { 200: reviewSchema },
    errors: ['verification_not_found'],
  }),
  claim: defineRoute({
    ...shared,
    operation: 'reviews.claim',
    method: 'POST',
    path: '/identity/verifications/:verification_id/review/claim',
    summary: 'Claim a review',
    description:
      `Keeps others from deciding the verification for ${CLAIM}. Returns 409 if it is not in \`review\`, or somebody else has ` +
      'claimed it.',
    pathParams: verificationPath,
    body: reviewActionSchema,
    success: { 200: reviewSchema },
    errors,
  }),
  release: defineRoute({
    ...shared,
    operation: 'reviews.release',
    method: 'POST',
    path: '/identity/verifications/:verification_id/review/release',
    summary: 'Release a review',
    description:
      'Gives a claimed review back to the queue. Releasing one that nobody has claimed changes nothing. Returns 409 if it is not in ' +
      '`review`, or somebody else has claimed it.',
    pathParams: verificationPath,
    body: reviewActionSchema,
    success: { 200: reviewSchema },
    errors,
  }),
  ask: defineRoute({
    ...shared,
    operation: 'reviews.ask',
    method: 'POST',
    path: '/identity/verifications/:verification_id/review/ask',
    summary: 'Ask for a picture or the video again',
    description:
      'Tells the person what to send again: `reasons` of the verification then say so, in place of what the checks found, `resubmit` ' +
      'is true, and the webhook `verification.review` is sent. The verification stays in `review` and leaves the queue; the person ' +
      'answers with a new submission. Asking for something else as well adds to it. Returns 409 if it is not in `review`, or somebody ' +
      'else has claimed it.',
    pathParams: verificationPath,
    body: askAgainSchema,
    success: { 200: reviewSchema },
    errors,
  }),
  addNote: defineRoute({
    ...shared,
    operation: 'reviews.addNote',
    method: 'POST',
    path: '/identity/verifications/:verification_id/review/notes',
    summary: 'Add a note',
    description:
      'Adds a note for reviewers. It is encrypted, and erased with the media. Returns 409 while the verification is `pending`, and ' +
      'once its data is erased.',
    pathParams: verificationPath,
    body: addNoteSchema,
    success: { 201: reviewEntrySchema },
    errors,
  }),
  history: defineRoute({
    ...shared,
    operation: 'reviews.history',
    method: 'GET',
    path: '/identity/verifications/:verification_id/review/history',
    summary: 'Read the history of a review',
    description: 'Lists who claimed, released, looked at, asked for, noted and decided what, newest first.',
    pathParams: verificationPath,
    query: pageQuerySchema('entry'),
    success: { 200: pageSchema(reviewEntrySchema) },
    errors: ['verification_not_found'],
  }),
  media: defineRoute({
    ...shared,
    operation: 'reviews.media',
    method: 'GET',
    path: '/identity/verifications/:verification_id/review/media',
    summary: 'Look at the media of a verification',
    description:
      'Returns a picture as JPEG without metadata, or the video as it was sent. Never cached; each request is recorded in the ' +
      'history before anything is sent. Returns 404 `not_found` for media that was not sent or is no longer kept.',
    limit: 'verification_reads',
    pathParams: verificationPath,
    query: z.strictObject({
      artifact: z.enum(ARTIFACT_NAMES).meta({ description: 'What to look at.' }),
      reviewer: reviewerSchema.optional(),
    }),
    success: { 200: binaryBodySchema },
    successBody: 'bytes',
    mediaTypes: ['image/jpeg', 'video/mp4', 'video/quicktime', 'video/webm'],
    errors: ['verification_not_found', 'not_found'],
  }),
  frames: defineRoute({
    ...shared,
    operation: 'reviews.frames',
    method: 'GET',
    path: '/identity/verifications/:verification_id/review/frames',
    summary: 'Look at frames of the video',
    description:
      'Returns the frames that liveness engines are given, two a second and at most 20. Recorded and never cached, like the media. ' +
      'Returns 404 `not_found` if the video is no longer kept, or the server has no program to extract frames.',
    limit: 'verification_reads',
    pathParams: verificationPath,
    query: z.strictObject({ reviewer: reviewerSchema.optional() }),
    success: { 200: framesSchema },
    errors: ['verification_not_found', 'not_found'],
  }),
} as const
