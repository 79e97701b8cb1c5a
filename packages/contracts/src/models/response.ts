/** What the Responses API answers. */
import { z } from 'zod'

const statusSchema = z.enum(['in_progress', 'completed', 'incomplete'])

const partSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('output_text'), text: z.string(), annotations: z.array(z.unknown()) }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
])

export const responseItemSchema = z
  .discriminatedUnion('type', [
    z.looseObject({
      type: z.literal('message'),
      id: z.string(),
      status: statusSchema,
      role: z.literal('assistant'),
      content: z.array(partSchema),
    }),
    z.looseObject({
      type: z.literal('function_call'),
      id: z.string(),
      status: statusSchema,
      call_id: z.string(),
      name: z.string(),
      arguments: z.string().meta({ description: 'JSON, as the model wrote it.' }),
    }),
  ])
  .meta({ id: 'ModelResponseItem' })

const countSchema = z.int().min(0)

const responseUsageSchema = z
  .looseObject({
    input_tokens: countSchema,
    input_tokens_details: z.looseObject({ cached_tokens: countSchema }),
    output_tokens: countSchema,
    output_tokens_details: z.looseObject({ reasoning_tokens: countSchema }),
    total_tokens: countSchema,
  })
  .meta({ id: 'ModelResponseUsage' })

export const responseSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int().meta({ description: 'Seconds since the epoch.' }),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
    model: z.string().meta({ description: 'The name that the request used.' }),
    output: z.array(responseItemSchema),
    error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.looseObject({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
    store: z.literal(false),
    usage: responseUsageSchema.nullable().meta({ description: 'Null if the model does not report it.' }),
  })
  .meta({ id: 'ModelResponse', description: 'Also repeats the settings of the request.' })
