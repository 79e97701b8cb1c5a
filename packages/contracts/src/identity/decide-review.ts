import { z } from 'zod'
import { described } from '../shared/route.ts'
import { lineSchema, textSchema } from '../shared/text.ts'

export const reviewerSchema = lineSchema
  .min(1)
  .max(200)
  .meta({
    description:
      'Your reference for the person at work, such as a staff number. Omit it if each person has a key of their own. It is recorded. ' +
      'Where several people must agree, only a key with the scope `identity:vouch` speaks for several.',
    examples: ['staff-7'],
  })

export const decisionSchema = z.enum(['approved', 'declined'])
/** Why people declined, for the person. */
export const REVIEW_REASONS = [
  'document_unreadable',
  'document_not_accepted',
  'document_expired',
  'document_doubtful',
  'details_differ',
  'face_mismatch',
  'not_live',
  'already_sent',
  'under_age',
  'other',
] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

export const noteSchema = textSchema.min(1).max(2000)

export const decideReviewSchema = z
  .strictObject({
    decision: decisionSchema,
    note: described(noteSchema.optional(), 'Internal note for reviewers; never sent to the person.'),
    reasons: z
      .array(z.enum(REVIEW_REASONS))
      .max(5)
      .optional()
      .meta({
        description:
          'Why it is declined, for the person: safe texts of these codes replace the findings of the checks in reads and webhooks. ' +
          'Only with `declined`; `other` if omitted. An approved verification has no reasons.',
      }),
    reviewer: reviewerSchema.optional(),
  })
  .refine(({ decision, reasons = [] }) => decision === 'declined' || reasons.length === 0, {
    path: ['reasons'],
    error: 'are for a decline',
  })
  .meta({ id: 'ReviewRequest', examples: [{ decision: 'approved', note: 'The person came to the office.' }] })
