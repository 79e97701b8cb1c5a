import { z } from 'zod'
import { livemodeSchema, timeSchema } from '../shared/checks.ts'
import { idPattern, idSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { pageQuerySchema } from '../shared/pagination.ts'
import { described } from '../shared/route.ts'
import { lineSchema, textSchema } from '../shared/text.ts'

const { refusalsPerMinute, refusalsCounted } = LIMITS

const wordSchema = lineSchema.min(1).max(100)
const countSchema = z.int().min(0)

const routeFields = {
  code: described(z.string().meta({ examples: ['invalid_phone'] }), 'Code of the error.'),
  status: z.int().min(400).max(599),
  operation: described(z.string().meta({ examples: ['calls.place'] }), 'Name of the route.'),
  method: z.string(),
  route: described(
    z.string().meta({ examples: ['/agent/calls/{call_id}'] }),
    'Path of the route, never as it was sent.',
  ),
}

export const refusedRequestSchema = z
  .object({
    refusal_id: idSchema('refusal'),
    request_id: described(z.string(), 'The `X-Request-Id` of the response.'),
    livemode: livemodeSchema,
    key_id: idSchema('key'),
    ...routeFields,
    param: described(
      z.string().nullable(),
      'Field that was at fault, with `*` for a position in a list; null if it is no field of the route.',
    ),
    duration_ms: countSchema,
    omitted: described(
      countSchema,
      `Refused requests that followed in the same minute and are not listed, because only ${refusalsPerMinute} a minute are kept.`,
    ),
    created_at: timeSchema,
  })
  .meta({
    id: 'RefusedRequest',
    description:
      'A request that was answered with 4xx or 5xx, without its body, query, headers and ids in its path.',
  })
export type RefusedRequest = z.output<typeof refusedRequestSchema>

export const listRefusedQuerySchema = pageQuerySchema('refusal').extend({
  request_id: described(wordSchema.max(128), 'Only the request with this id.').optional(),
  key_id: described(
    textSchema.regex(idPattern('key'), 'must be the id of a key'),
    'Only those made with this key, or in the console by whoever signed in with it.',
  ).optional(),
  operation: described(wordSchema, 'Only those for this route, such as `calls.place`.').optional(),
  status: described(z.coerce.number().int().min(400).max(599), 'Only those with this status.').optional(),
  code: described(wordSchema, 'Only those with this error code.').optional(),
})

export const refusalSummarySchema = z
  .object({
    since: timeSchema,
    refused: described(countSchema, 'Refused requests since then that are kept.'),
    omitted: described(countSchema, 'Others, which were too many to keep.'),
    has_more: described(
      z.boolean(),
      `Whether there were more than ${refusalsCounted}; only the newest are counted.`,
    ),
    groups: z.array(
      z.object({
        ...routeFields,
        count: countSchema.min(1),
        first_at: timeSchema,
        last_at: timeSchema,
        request_id: described(z.string(), 'Id of the last one.'),
      }),
    ),
  })
  .meta({
    id: 'RefusalSummary',
    description: 'Refused requests of the last 24 hours by error code and route, the most frequent first.',
  })
export type RefusalSummary = z.output<typeof refusalSummarySchema>
