/** Success bodies that are no JSON: their media types, and the schemas of what is in them. */
import type { z } from 'zod'
import { chatCompletionChunkSchema } from '../platform/chat.ts'
import { batchResultSchema } from '../platform/resources.ts'
import type { BodyKind, RouteMetadata } from '../shared/route.ts'
import {
  PCM_STREAM,
  STREAM_DESCRIPTOR_HEADER,
  streamDescriptorSchema,
  SYNTHESIS_DESCRIPTOR_HEADER,
  synthesisDescriptorSchema,
} from '../speech/resources.ts'
import type { JsonObject, SchemaCollector } from './schemas.ts'

const MEDIA_TYPES: Readonly<Record<BodyKind, readonly string[]>> = {
  // Bytes beside JSON are the same answer as a stream of events.
  json: ['text/event-stream'],
  audio: ['audio/wav', 'audio/mpeg', 'audio/ogg'],
  'pcm-stream': [`audio/pcm;rate=${PCM_STREAM.sampleRateHz};channels=1;format=s16le`, 'audio/wav'],
  'event-stream': ['text/event-stream'],
  ndjson: ['application/x-ndjson'],
  text: ['text/plain'],
  none: [],
}

/** Where an operation answers with other types than its kind has. */
const OWN_MEDIA_TYPES: Readonly<Record<string, readonly string[]>> = {
  'calls.recording': ['audio/wav'],
  'models.speech': ['audio/mpeg', 'audio/ogg', 'audio/aac', 'audio/flac', 'audio/wav', 'audio/pcm'],
}

const CHUNK_EXAMPLE = {
  id: 'chatcmpl_1',
  object: 'chat.completion.chunk',
  created: 1_795_150_800,
  model: 'chat-small',
  choices: [{ index: 0, delta: { role: 'assistant', content: 'नमस्ते' }, finish_reason: 'stop' }],
} satisfies z.output<typeof chatCompletionChunkSchema>

const RESULT_EXAMPLE = {
  custom_id: 'letter-1',
  status: 200,
  body: { text: 'Good morning.' },
} satisfies z.output<typeof batchResultSchema>

/** What one event or line of a stream holds, by operation, and a whole stream as it is sent. */
const STREAMS: Readonly<Record<string, { item: z.ZodType; example: string }>> = {
  'models.chat': {
    item: chatCompletionChunkSchema,
    example: `data: ${JSON.stringify(CHUNK_EXAMPLE)}\n\ndata: [DONE]\n\n`,
  },
  'batches.results': { item: batchResultSchema, example: `${JSON.stringify(RESULT_EXAMPLE)}\n` },
}

/** Response headers that hold JSON. */
export const JSON_HEADERS: Readonly<Record<string, z.ZodType>> = {
  [STREAM_DESCRIPTOR_HEADER]: streamDescriptorSchema,
  [SYNTHESIS_DESCRIPTOR_HEADER]: synthesisDescriptorSchema
    .omit({ audio_b64: true })
    .meta({ id: 'SynthesisDescriptorHeader' }),
}

/** The media types of a route's bytes, each with its schema. */
export function binaryContent(metadata: RouteMetadata, schemas: SchemaCollector): JsonObject {
  const { operation, successBody } = metadata
  const types = OWN_MEDIA_TYPES[operation] ?? MEDIA_TYPES[successBody]
  const stream = STREAMS[operation]
  const isText = types.every((type) => !type.startsWith('audio/'))
  // `itemSchema` is of OpenAPI 3.2; until tools read that, the schema of an item is an extension.
  const body: JsonObject = {
    schema: isText ? { type: 'string' } : { type: 'string', format: 'binary' },
    ...(stream && { 'x-item-schema': schemas.add(stream.item, 'output'), example: stream.example }),
  }
  return Object.fromEntries(types.map((type) => [type, body]))
}
