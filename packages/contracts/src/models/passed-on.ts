/** What is passed on to upstreams in the OpenAI wire format as it is. Objects stay open in both directions, as in chats. */
import { z } from 'zod'
import { jsonObjectSchema, openObject } from '../shared/json.ts'
import { textSchema } from '../shared/text.ts'
import { usageSchema } from './chat.ts'

/** What OpenAI moderates with if a request names no model. */
const DEFAULT_MODERATION_MODEL = 'omni-moderation-latest'

const modelSchema = textSchema.min(1).max(200)
const tokensSchema = z.array(z.int().min(0)).min(1)
const textsSchema = z.union([
  textSchema,
  z.array(textSchema).min(1),
  tokensSchema,
  z.array(tokensSchema).min(1),
])

export const embeddingRequestSchema = openObject({
  model: modelSchema,
  input: textsSchema.meta({ description: 'One text or several, also as tokens.' }),
  dimensions: z.int().min(1).optional(),
  encoding_format: z.enum(['float', 'base64']).optional(),
}).meta({ id: 'EmbeddingRequest', examples: [{ model: 'embed-small', input: 'Good morning.' }] })

export const embeddingListSchema = z
  .looseObject({
    object: z.string(),
    model: z.string().meta({ description: 'The name that the request used.' }),
    data: z.array(
      z.looseObject({
        index: z.int().min(0),
        embedding: z
          .union([z.array(z.number()), z.string()])
          .meta({ description: 'Numbers, or base64 of 32-bit floats if the request asked for it.' }),
      }),
    ),
    usage: z.looseObject({ prompt_tokens: z.int().min(0) }).nullish(),
  })
  .meta({ id: 'EmbeddingList' })

export const completionRequestSchema = openObject({
  model: modelSchema,
  prompt: textsSchema,
  max_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
  stream_options: openObject({ include_usage: z.boolean().optional() }).nullish(),
}).meta({ id: 'CompletionRequest', examples: [{ model: 'text-small', prompt: 'Good' }] })

export const completionSchema = z
  .looseObject({
    object: z.string(),
    model: z.string().meta({ description: 'The name that the request used.' }),
    choices: z.array(z.looseObject({ text: z.string(), finish_reason: z.string().nullish() })),
    usage: usageSchema.nullish(),
  })
  .meta({ id: 'Completion', description: 'Also each `data:` line of a stream, before `[DONE]`.' })

export const moderationRequestSchema = openObject({
  model: modelSchema.default(DEFAULT_MODERATION_MODEL),
  input: z.union([textSchema, z.array(z.union([textSchema, jsonObjectSchema])).min(1)]),
}).meta({ id: 'ModerationRequest', examples: [{ model: 'moderate-small', input: 'Good morning.' }] })

export const moderationSchema = z
  .looseObject({
    model: z.string().meta({ description: 'The name that the request used.' }),
    results: z.array(z.looseObject({ flagged: z.boolean() })),
  })
  .meta({ id: 'Moderation' })

export const imageRequestSchema = openObject({
  model: modelSchema,
  prompt: textSchema.min(1),
  n: z.int().min(1).max(10).nullish(),
  stream: z.literal(false, { error: 'must be false: images are sent whole' }).nullish(),
}).meta({ id: 'ImageRequest', examples: [{ model: 'draw-small', prompt: 'A parcel.' }] })

export const imageListSchema = z
  .looseObject({
    model: z.string().meta({ description: 'The name that the request used.' }),
    data: z.array(z.looseObject({ url: z.string().nullish(), b64_json: z.string().nullish() })),
  })
  .meta({ id: 'ImageList' })
