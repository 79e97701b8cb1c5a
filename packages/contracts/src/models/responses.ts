/** OpenAI's Responses API without its storage. Objects stay open in both directions, as in chats. */
import { z } from 'zod'
import { jsonObjectSchema, openObject } from '../shared/json.ts'
import { textSchema } from '../shared/text.ts'
import { responseItemSchema, responseSchema } from './response.ts'
import { responseInputItemSchema, unsupported } from './response-input.ts'

const NOT_STORED = 'must be null: responses are not stored here, so send all items of the conversation'

const functionToolSchema = openObject({
  type: z.literal('function', {
    error: 'must be function: no tools run here, and custom ones are for /v1/chat/completions',
  }),
  name: textSchema.min(1).max(64),
  description: textSchema.nullish(),
  parameters: jsonObjectSchema.nullish(),
  strict: z.boolean().nullish(),
})

const formatSchema = z.discriminatedUnion('type', [
  openObject({ type: z.literal('text') }),
  openObject({ type: z.literal('json_object') }),
  openObject({
    type: z.literal('json_schema'),
    name: textSchema,
    description: textSchema.nullish(),
    schema: jsonObjectSchema,
    strict: z.boolean().nullish(),
  }),
])

const allowedToolsSchema = openObject({
  type: z.literal('allowed_tools'),
  mode: z.enum(['auto', 'required']),
  tools: z.array(openObject({ type: z.literal('function'), name: textSchema })),
})

const toolChoiceSchema = z.union([
  z.enum(['none', 'auto', 'required']),
  z.discriminatedUnion('type', [
    openObject({ type: z.literal('function'), name: textSchema }),
    allowedToolsSchema,
  ]),
])

export const responseRequestSchema = openObject({
  model: textSchema.min(1).max(200),
  input: z.union([textSchema, z.array(responseInputItemSchema).min(1)]).meta({
    description: 'Text of the user, or all items of the conversation, oldest first.',
  }),
  instructions: textSchema.nullish().meta({ description: 'What the model reads before the input.' }),
  tools: z.array(functionToolSchema).nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: openObject({ format: formatSchema.optional(), verbosity: textSchema.nullish() }).nullish(),
  reasoning: openObject({ effort: textSchema.nullish() }).nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  include: z.array(textSchema).nullish().meta({
    description: '`message.output_text.logprobs` has an effect. Others name what no response has here.',
  }),
  metadata: jsonObjectSchema.nullish().meta({ description: 'Repeated in the response.' }),
  store: z.boolean().nullish().meta({ description: 'Nothing is stored, whatever the value.' }),
  stream: z.boolean().nullish(),
  truncation: z
    .enum(['disabled'], { error: 'must be disabled: what the model cannot read is not left out here' })
    .nullish(),
  background: z
    .literal(false, { error: 'must be false: responses are not made in the background' })
    .nullish(),
  previous_response_id: unsupported(NOT_STORED),
  conversation: unsupported(NOT_STORED),
  prompt: unsupported('must be null: prompts are not stored here, so send instructions and input'),
  context_management: unsupported('must be null: conversations are not shortened here'),
}).meta({
  id: 'ModelResponseRequest',
  examples: [{ model: 'vaani-echo', input: 'Hello' }],
})

const position = {
  sequence_number: z.int().min(0),
  output_index: z.int().min(0),
}
const partPosition = { ...position, item_id: z.string(), content_index: z.int().min(0) }

/**
 * One event of a streamed response. `response.completed`, `response.incomplete` or `response.failed` is the last one; there is no
 * `[DONE]`. If the model fails in the middle, `error` comes before `response.failed`.
 */
export const responseEventSchema = z
  .discriminatedUnion('type', [
    z.looseObject({
      type: z.enum([
        'response.created',
        'response.in_progress',
        'response.completed',
        'response.incomplete',
        'response.failed',
      ]),
      sequence_number: z.int().min(0),
      response: responseSchema,
    }),
    z.looseObject({
      type: z.enum(['response.output_item.added', 'response.output_item.done']),
      ...position,
      item: responseItemSchema,
    }),
    z.looseObject({
      type: z.enum(['response.content_part.added', 'response.content_part.done']),
      ...partPosition,
      part: z.looseObject({ type: z.string() }),
    }),
    z.looseObject({
      type: z.enum(['response.output_text.delta', 'response.refusal.delta']),
      ...partPosition,
      delta: z.string(),
    }),
    z.looseObject({ type: z.literal('response.output_text.done'), ...partPosition, text: z.string() }),
    z.looseObject({ type: z.literal('response.refusal.done'), ...partPosition, refusal: z.string() }),
    z.looseObject({
      type: z.literal('response.function_call_arguments.delta'),
      ...position,
      item_id: z.string(),
      delta: z.string(),
    }),
    z.looseObject({
      type: z.literal('response.function_call_arguments.done'),
      ...position,
      item_id: z.string(),
      arguments: z.string(),
    }),
    z.looseObject({
      type: z.literal('error'),
      sequence_number: z.int().min(0),
      code: z.string().nullable(),
      message: z.string(),
      param: z.string().nullable(),
    }),
  ])
  .meta({ id: 'ModelResponseEvent' })
