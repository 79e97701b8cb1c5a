import { z } from 'zod'
import { livemodeSchema } from '../shared/checks.ts'
import { LIMITS } from '../shared/limits.ts'
import { textSchema } from '../shared/text.ts'

const daySchema = z.iso
  .date({ error: 'must be a date such as 2026-11-23' })
  .meta({ description: 'A day in UTC.', examples: ['2026-11-23'] })

/** A day and a model, as base64url. */
const cursorSchema = textSchema.regex(/^[\w-]{1,1200}$/, 'must be the next_cursor of a page of this list')

export const usageQuerySchema = z.strictObject({
  from: daySchema.optional().meta({ description: 'First day in UTC. Default: the beginning.' }),
  to: daySchema.optional().meta({ description: 'Last day in UTC. Default: today.' }),
  model: textSchema.min(1).max(200).optional().meta({ description: 'Default: all models.' }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(LIMITS.pageMax)
    .default(LIMITS.pageDefault)
    .meta({ description: 'Maximum number of items to return.' }),
  cursor: cursorSchema.optional().meta({ description: '`next_cursor` of the previous page.' }),
})

const countSchema = z.int().min(0)

export const modelUsageSchema = z
  .object({
    date: daySchema,
    model: z.string(),
    livemode: livemodeSchema,
    requests: countSchema.meta({ description: 'Answers, also those that broke off.' }),
    requests_without_usage: countSchema.meta({
      description:
        'Answers whose tokens are not counted, because they broke off or the model does not report them.',
    }),
    prompt_tokens: countSchema,
    completion_tokens: countSchema,
    total_tokens: countSchema,
  })
  .meta({ id: 'ModelUsage', description: 'What an account used of a model in a day.' })
export type ModelUsage = z.output<typeof modelUsageSchema>
