import { z } from 'zod'
import { LIMITS } from './limits.ts'

/** Query of every list route. */
export const pageQuerySchema = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(LIMITS.pageMax)
    .default(LIMITS.pageDefault)
    .meta({ description: 'How many to return at most.' }),
  cursor: z.string().min(1).max(200).optional().meta({ description: '`next_cursor` of the page before.' }),
})

/** One page of a list, newest first. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    has_more: z.boolean().meta({ description: 'Whether a further page exists.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Pass as `cursor` for the next page; null on the last.' }),
  })
}
