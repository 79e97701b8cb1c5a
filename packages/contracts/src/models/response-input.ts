/** What a request of the Responses API may consist of. */
import { z } from 'zod'
import { openObject } from '../shared/json.ts'
import { textSchema } from '../shared/text.ts'

/** A field of OpenAI that has no meaning here: absent or null. */
export const unsupported = (error: string) =>
  z
    .null({ error })
    .optional()
    .meta({ description: `Not supported: ${error}.` })

const FILE_ID = unsupported('must be null: files are not stored here, so send the content')

const imageSchema = openObject({
  type: z.literal('input_image'),
  file_id: FILE_ID,
  image_url: textSchema.meta({
    description: 'A URL, which may hold the image itself: `data:image/png;base64,…`',
  }),
  detail: textSchema.nullish(),
})
const fileSchema = openObject({
  type: z.literal('input_file'),
  file_id: FILE_ID,
  file_url: unsupported('must be null: addresses of files are not fetched here, so send file_data'),
  file_data: textSchema.meta({ description: 'The file in base64, as a `data:` URL.' }),
  filename: textSchema.nullish(),
})
const inputTextSchema = openObject({ type: z.literal('input_text'), text: textSchema })

const contentSchema = z.union([
  textSchema,
  z.array(
    z.discriminatedUnion('type', [
      inputTextSchema,
      openObject({ type: z.literal('output_text'), text: textSchema }),
      openObject({ type: z.literal('refusal'), refusal: textSchema }),
      imageSchema,
      fileSchema,
    ]),
  ),
])

const ITEM_TYPES = 'must be message, function_call, function_call_output or reasoning'
const REFERENCE = 'must be the item itself: items are not stored here (in the AI SDK, set store to false)'

export const responseInputItemSchema = z
  .discriminatedUnion(
    'type',
    [
      openObject({
        type: z.literal('message').optional(),
        role: z.enum(['user', 'assistant', 'system', 'developer']),
        content: contentSchema,
      }),
      openObject({
        type: z.literal('function_call'),
        call_id: textSchema,
        name: textSchema,
        arguments: textSchema,
      }),
      openObject({
        type: z.literal('function_call_output'),
        call_id: textSchema,
        output: z.union([
          textSchema,
          z.array(z.discriminatedUnion('type', [inputTextSchema, imageSchema, fileSchema])),
        ]),
      }),
      openObject({ type: z.literal('reasoning') }).meta({
        description: 'Accepted, because clients send it back, and not handed on.',
      }),
      openObject({ type: z.literal('item_reference') }).refine(() => false, {
        error: REFERENCE,
        path: ['id'],
      }),
    ],
    { error: ({ code }) => (code === 'invalid_union' ? ITEM_TYPES : undefined) },
  )
  .meta({ id: 'ModelResponseInputItem' })
