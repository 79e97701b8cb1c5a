/** The OpenAI wire format. Objects stay open so that clients can send newer fields, which are ignored. */
import { z } from 'zod'
import { jsonObjectSchema, openObject } from '../shared/json.ts'
import { textSchema } from '../shared/text.ts'

const functionSchema = openObject({
  name: textSchema.min(1).max(64),
  description: textSchema.optional(),
  parameters: jsonObjectSchema.optional(),
  strict: z.boolean().nullish(),
})
const toolSchema = openObject({ type: z.literal('function'), function: functionSchema })
const toolCallSchema = openObject({
  id: textSchema,
  type: z.literal('function'),
  function: z.object({ name: textSchema, arguments: textSchema }),
})
const contentSchema = z.union([textSchema, z.array(openObject({ type: textSchema }))])

const messageSchema = z.discriminatedUnion('role', [
  openObject({ role: z.literal('system'), content: contentSchema }),
  openObject({ role: z.literal('developer'), content: contentSchema }),
  openObject({ role: z.literal('user'), content: contentSchema }),
  openObject({
    role: z.literal('assistant'),
    content: contentSchema.nullish(),
    tool_calls: z.array(toolCallSchema).optional(),
  }),
  openObject({ role: z.literal('tool'), content: contentSchema, tool_call_id: textSchema }),
])

const responseFormatSchema = z.discriminatedUnion('type', [
  openObject({ type: z.literal('text') }),
  openObject({ type: z.literal('json_object') }),
  openObject({
    type: z.literal('json_schema'),
    json_schema: openObject({
      name: textSchema,
      schema: jsonObjectSchema.optional(),
      strict: z.boolean().nullish(),
    }),
  }),
])

export const chatCompletionRequestSchema = openObject({
  model: textSchema.min(1).max(200),
  messages: z.array(messageSchema).min(1),
  tools: z.array(toolSchema).optional(),
  tool_choice: z
    .union([z.enum(['none', 'auto', 'required']), openObject({ type: z.literal('function') })])
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
  response_format: responseFormatSchema.optional(),
  stream: z.boolean().nullish(),
  stream_options: openObject({ include_usage: z.boolean().optional() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  stop: z.union([textSchema, z.array(textSchema).max(4)]).nullish(),
  seed: z.int().nullish(),
  user: textSchema.optional(),
}).meta({
  id: 'ChatCompletionRequest',
  examples: [{ model: 'vaani-echo', messages: [{ role: 'user', content: 'Hello' }] }],
})

export const usageSchema = z
  .object({ prompt_tokens: z.int().min(0), completion_tokens: z.int().min(0), total_tokens: z.int().min(0) })
  .meta({ id: 'Usage' })

const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter'] as const

export const chatCompletionSchema = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int().meta({ description: 'Seconds since the epoch.' }),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.int().min(0),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string().nullable(),
          refusal: z.string().nullish(),
          tool_calls: z.array(toolCallSchema).optional(),
        }),
        finish_reason: z.enum(FINISH_REASONS),
      }),
    ),
    usage: usageSchema.optional(),
  })
  .meta({ id: 'ChatCompletion' })

/** One `data:` line of a streamed completion; the last line is `[DONE]`. */
export const chatCompletionChunkSchema = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.int().min(0),
        delta: z.looseObject({ role: z.literal('assistant').optional(), content: z.string().nullish() }),
        finish_reason: z.enum(FINISH_REASONS).nullable(),
      }),
    ),
    usage: usageSchema.nullish(),
  })
  .meta({ id: 'ChatCompletionChunk' })
