import { z } from 'zod'
import { keyIdSchema } from '../admin/resources.ts'
import { decisionSchema, noteSchema, REVIEW_REASONS, reviewerSchema } from '../identity/decide-review.ts'
import { CHECK_OUTCOMES, verificationSchema } from '../identity/resources.ts'
import { timeSchema } from '../shared/checks.ts'
import { idSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { described } from '../shared/route.ts'

export const entryIdSchema = idSchema('entry')

/** Images and videos of a verification. */
export const ARTIFACT_NAMES = ['front_image', 'back_image', 'liveness_video', 'reference_portrait'] as const
export type ArtifactName = (typeof ARTIFACT_NAMES)[number]

const personFields = {
  key_id: described(keyIdSchema, 'Id of the key that the person used.'),
  reviewer: described(reviewerSchema.nullable(), 'The `reviewer` that the request named, if any.'),
}

export const reviewClaimSchema = z
  .object({
    ...personFields,
    expires_at: described(timeSchema, 'When others may claim the review; claiming it again moves this time.'),
  })
  .meta({ id: 'ReviewClaim' })

export const REVIEW_ENTRY_TYPES = ['claim', 'release', 'look', 'note', 'ask', 'vote'] as const

/** What is wrong with a picture or video that reviewers ask for again. */
export const MEDIA_PROBLEMS = [
  'blurred',
  'glare',
  'too_dark',
  'cut_off',
  'covered',
  'wrong_picture',
  'missing',
] as const
export type MediaProblem = (typeof MEDIA_PROBLEMS)[number]

export const WAITING_FOR = ['reviewer', 'person'] as const
export type WaitingFor = (typeof WAITING_FOR)[number]

export const reviewEntrySchema = z
  .object({
    entry_id: entryIdSchema,
    type: z.enum(REVIEW_ENTRY_TYPES),
    ...personFields,
    created_at: timeSchema,
    decision: described(decisionSchema.nullable(), 'Set for a `vote`.'),
    reasons: z
      .array(z.enum(REVIEW_REASONS))
      .meta({ description: 'Why a `vote` is to decline, for the person; otherwise empty.' }),
    artifact: described(
      z.enum(ARTIFACT_NAMES).nullable(),
      'What was looked at or asked for again; set for a `look` and an `ask`.',
    ),
    problem: described(z.enum(MEDIA_PROBLEMS).nullable(), 'What is wrong with it; set for an `ask`.'),
    note: described(
      z.string().nullable(),
      'Text of a `note`, or the note of a `vote`; null if there is none, or once it is erased.',
    ),
  })
  .meta({ id: 'ReviewEntry', description: 'What somebody did in a review.' })
export type ReviewEntry = z.output<typeof reviewEntrySchema>

const pointSchema = z.object({ x: z.number(), y: z.number() })

export const placeSchema = z
  .object({
    artifact: z.enum(ARTIFACT_NAMES).exclude(['liveness_video']),
    what: z
      .string()
      .meta({ description: '`zone`, `barcode`, `face` or the name of a field.', examples: ['zone'] }),
    width: z.int().min(1).meta({ description: 'Size of the image in pixels, as reviewers get it.' }),
    height: z.int().min(1),
    corners: z.array(pointSchema).length(4).meta({
      description:
        'In the pixels of the image: from the top left of what is there, as it is read, clockwise. They may lie a little outside.',
    }),
  })
  .meta({ id: 'Place', description: 'Where on an image a check found something, to draw it there.' })

export const checkResultSchema = z
  .object({
    check: z.string().meta({ examples: ['document_quality'] }),
    outcome: z.enum(CHECK_OUTCOMES),
    code: z.string().meta({ examples: ['image_blurred'] }),
    score: z.number().min(0).max(1).nullable(),
    evidence: z
      .record(z.string(), z.union([z.number(), z.string(), z.boolean()]))
      .meta({ description: 'What was measured, beside the thresholds that it was compared with.' }),
    places: z
      .array(placeSchema)
      .optional()
      .meta({ description: 'Where it found what it judged; missing if it judges no place.' }),
    model: z.string().nullable().meta({ description: 'Model or method, with its version.' }),
  })
  .meta({ id: 'CheckResult', description: 'Result of one check.' })

export const reviewSchema = z
  .object({
    verification: verificationSchema,
    policy: z.string().meta({ description: 'Policy that the verification was submitted under.' }),
    reviewers_needed: z.int().min(1).meta({ description: 'How many people must agree, by that policy.' }),
    checks: z.array(checkResultSchema).meta({ description: 'Every check that has run.' }),
    media: z
      .array(z.object({ artifact: z.enum(ARTIFACT_NAMES), bytes: z.int().min(0) }))
      .meta({ description: 'Media that is kept; empty once it is erased.' }),
    waiting_for: described(
      z.enum(WAITING_FOR),
      '`person` once a reviewer has asked for a picture or the video again.',
    ),
    due_at: described(
      timeSchema.nullable(),
      'When it should be decided, by its policy; null if the policy sets no time.',
    ),
    claim: described(reviewClaimSchema.nullable(), 'Who works on the review; null if nobody does.'),
    votes: z.array(reviewEntrySchema).meta({ description: 'The latest vote of each person, oldest first.' }),
  })
  .meta({ id: 'Review', description: 'Everything that a reviewer needs to decide a verification.' })
export type Review = z.output<typeof reviewSchema>

export const framesSchema = z
  .object({
    frames: z.array(
      z.object({
        time_ms: described(z.number().min(0), 'Time since the start of the video.'),
        width: z.int().min(1),
        height: z.int().min(1),
        image_b64: z.string().meta({ description: 'The picture as JPEG, in base64.' }),
      }),
    ),
  })
  .meta({ id: 'VideoFrames' })

export const reviewActionSchema = z
  .strictObject({ reviewer: reviewerSchema.optional() })
  .meta({ id: 'ReviewActionRequest', examples: [{ reviewer: 'staff-7' }] })

export const claimedReviewSchema = z
  .object({ review: reviewSchema.nullable().meta({ description: 'Null if no review is waiting.' }) })
  .meta({ id: 'ClaimedReview' })

export const askAgainSchema = z
  .strictObject({
    artifact: z.enum(ARTIFACT_NAMES).meta({ description: 'What is needed again.' }),
    problem: z.enum(MEDIA_PROBLEMS).meta({ description: 'What is wrong with it, for the person.' }),
    note: described(noteSchema.optional(), 'Internal note for reviewers; never sent to the person.'),
    reviewer: reviewerSchema.optional(),
  })
  .meta({ id: 'AskAgainRequest', examples: [{ artifact: 'back_image', problem: 'glare' }] })

const countSchema = z.int().min(0).max(LIMITS.reviewsCounted)
export const reviewCountsSchema = z
  .object({
    reviews: described(countSchema, 'Reviews that wait for a reviewer.'),
    claimed: described(countSchema, 'Those of them that somebody works on.'),
    waiting_for_person: described(countSchema, 'Reviews that wait for a new picture or video.'),
    oldest_created_at: described(
      timeSchema.nullable(),
      'When the oldest was submitted; null if there is none.',
    ),
    by_policy: z.array(
      z.object({
        policy: z.string(),
        reviews: countSchema,
        oldest_created_at: timeSchema,
        oldest_due_at: described(
          timeSchema.nullable(),
          'When the oldest is due; null if the policy sets no time.',
        ),
        overdue: described(countSchema, 'Those whose time is over.'),
      }),
    ),
    by_reason: z.array(
      z.object({
        reason: z.string().meta({ examples: ['liveness_unsure'] }),
        reviews: described(countSchema, 'Reviews with this reason; one with several counts for each.'),
      }),
    ),
  })
  .meta({
    id: 'ReviewCounts',
    description: `The queue in numbers. Counting stops at ${LIMITS.reviewsCounted}, which means as many or more.`,
  })

export type ReviewCounts = z.output<typeof reviewCountsSchema>

export const addNoteSchema = z
  .strictObject({
    note: described(noteSchema, 'For reviewers; never sent to the person.'),
    reviewer: reviewerSchema.optional(),
  })
  .meta({ id: 'AddNoteRequest', examples: [{ note: 'Asked for a new picture.', reviewer: 'staff-7' }] })
