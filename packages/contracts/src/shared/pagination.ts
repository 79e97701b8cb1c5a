import { z } from 'zod'
import { type IdKind, idPattern } from './ids.ts'
import { LIMITS } from './limits.ts'
import { textSchema } from './text.ts'

/** Query of a route that lists resources of one kind. A cursor is the id of a resource of that kind. */
export const pageQuerySchema = <Kind extends IdKind>(kind: Kind) =>
  z.strictObject({
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(LIMITS.pageMax)
      .default(LIMITS.pageDefault)
      .meta({ description: 'Maximum number of items to return.' }),
    cursor: z
      .optional(
        textSchema.regex(idPattern(kind), 'must be the next_cursor of a page of this list').brand<Kind>(),
      )
      .meta({ description: '`next_cursor` of the previous page.' }),
  })

/** One page of a list, newest first. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    has_more: z.boolean().meta({ description: 'Whether there is another page.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Pass as `cursor` to get the next page; null on the last page.' }),
  })
}
