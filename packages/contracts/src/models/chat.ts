/** The OpenAI wire format. Objects stay open in both directions, so that newer fields pass through to the model and back. */
import { z } from 'zod'
import { jsonObjectSchema, openObject } from '../shared/json.ts'
import { textSchema } from '../shared/text.ts'

const functionSchema = openObject({
  name: textSchema.min(1).max(64),
  description: textSchema.optional(),
  parameters: jsonObjectSchema.optional(),
  strict: z.boolean().nullish(),
})
const toolSchema = z.discriminatedUnion('type', [
  openObject({ type: z.literal('function'), function: functionSchema }),
  openObject({
    type: z.literal('custom'),
    custom: openObject({ name: textSchema.min(1).max(64), description: textSchema.optional() }),
  }),
])
const toolCallSchema = z.discriminatedUnion('type', [
  openObject({
    id: textSchema,
    type: z.literal('function'),
    function: openObject({ name: textSchema, arguments: textSchema }),
  }),
  openObject({
    id: textSchema,
    type: z.literal('custom'),
    custom: openObject({ name: textSchema, input: textSchema }),
  }),
])
const contentSchema = z.union([textSchema, z.array(openObject({ type: textSchema }))])

const messageSchema = z.discriminatedUnion('role', [
  openObject({ role: z.literal('system'), content: contentSchema }),
  openObject({ role: z.literal('developer'), content: contentSchema }),
  openObject({ role: z.literal('user'), content: contentSchema }),
  openObject({
    role: z.literal('assistant'),
    content: contentSchema.nullish(),
    refusal: textSchema.nullish(),
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
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), openObject({ type: textSchema })]).optional(),
  parallel_tool_calls: z.boolean().optional(),
  response_format: responseFormatSchema.optional(),
  stream: z.boolean().nullish(),
  stream_options: openObject({ include_usage: z.boolean().optional() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  n: z.int().min(1).max(128).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  stop: z.union([textSchema, z.array(textSchema).max(4)]).nullish(),
  seed: z.int().nullish(),
  user: textSchema.optional(),
}).meta({
  id: 'ChatCompletionRequest',
  examples: [{ model: 'vaani-echo', messages: [{ role: 'user', content: 'Hello' }] }],
})

export const usageSchema = z
  .looseObject({
    prompt_tokens: z.int().min(0),
    completion_tokens: z.int().min(0),
    total_tokens: z.int().min(0),
    prompt_tokens_details: z.looseObject({ cached_tokens: z.int().min(0).optional() }).nullish(),
    completion_tokens_details: z.looseObject({ reasoning_tokens: z.int().min(0).optional() }).nullish(),
  })
  .meta({ id: 'Usage' })

const finishReasonSchema = z.string().meta({
  description:
    '`stop`, `length`, `tool_calls` or `content_filter`; models of other vendors may have more reasons.',
  examples: ['stop'],
})
const tokenSchema = z.looseObject({ token: z.string(), logprob: z.number() })
const logprobsSchema = z.looseObject({
  content: z.array(tokenSchema.extend({ top_logprobs: z.array(tokenSchema).optional() })).nullish(),
})

const answeredToolCallSchema = z.looseObject({
  id: z.string(),
  type: z.string().meta({ description: '`function`, or `custom` with its input in `custom`.' }),
  function: z.looseObject({ name: z.string(), arguments: z.string() }).optional(),
})

export const chatCompletionSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int().meta({ description: 'Seconds since the epoch.' }),
    model: z.string().meta({ description: 'The name that the request used.' }),
    choices: z.array(
      z.looseObject({
        index: z.int().min(0),
        message: z.looseObject({
          role: z.literal('assistant'),
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(answeredToolCallSchema).nullish(),
        }),
        finish_reason: finishReasonSchema.nullable(),
        logprobs: logprobsSchema.nullish(),
      }),
    ),
    usage: usageSchema.nullish(),
  })
  .meta({ id: 'ChatCompletion' })

const toolCallDeltaSchema = z.looseObject({
  index: z.int().min(0),
  id: z.string().nullish(),
  type: z.string().nullish(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
})

/**
 * One `data:` line of a streamed completion; the last line is `[DONE]`. If the model fails in the middle, the last line is an
 * error body instead.
 */
export const chatCompletionChunkSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created: z.int(),
    model: z.string(),
    choices: z
      .array(
        z.looseObject({
          index: z.int().min(0),
          delta: z.looseObject({
            role: z.string().nullish(),
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z.array(toolCallDeltaSchema).nullish(),
          }),
          finish_reason: finishReasonSchema.nullish(),
          logprobs: logprobsSchema.nullish(),
        }),
      )
      .meta({ description: 'Empty in the last chunk if the request has `stream_options.include_usage`.' }),
    usage: usageSchema.nullish(),
  })
  .meta({ id: 'ChatCompletionChunk' })
