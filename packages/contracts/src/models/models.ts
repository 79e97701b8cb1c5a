import { z } from 'zod'
import { textSchema } from '../shared/text.ts'

export const modelSchema = z
  .object({
    id: z.string().meta({ description: 'Name for `model` in requests.', examples: ['chat-small'] }),
    object: z.literal('model'),
    created: z.int().min(0).meta({
      description: 'Seconds since the epoch: when the server that answers began to offer the model.',
    }),
    owned_by: z.string().meta({ description: '`vaani` for models of the server itself.' }),
  })
  .meta({ id: 'Model' })
export type ModelResource = z.output<typeof modelSchema>

export const modelListSchema = z
  .object({ object: z.literal('list'), data: z.array(modelSchema) })
  .meta({ id: 'ModelList' })

export const modelParams = z.object({ model: textSchema.min(1).max(200) })
