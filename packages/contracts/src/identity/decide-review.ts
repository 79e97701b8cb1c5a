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
export const noteSchema = textSchema.min(1).max(2000)

export const decideReviewSchema = z
  .strictObject({
    decision: decisionSchema,
    note: described(noteSchema.optional(), 'Internal note for reviewers; never sent to the person.'),
    reviewer: reviewerSchema.optional(),
  })
  .meta({ id: 'ReviewRequest', examples: [{ decision: 'approved', note: 'The person came to the office.' }] })
