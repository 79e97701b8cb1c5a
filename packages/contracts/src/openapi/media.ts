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

/** What one event or line of a stream holds, by operation. */
const STREAM_ITEMS: Readonly<Record<string, z.ZodType>> = {
  'models.chat': chatCompletionChunkSchema,
  'batches.results': batchResultSchema,
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
  const item = STREAM_ITEMS[operation]
  const isText = types.every((type) => !type.startsWith('audio/'))
  // `itemSchema` is of OpenAPI 3.2; until tools read that, the schema of an item is an extension.
  const body: JsonObject = {
    schema: isText ? { type: 'string' } : { type: 'string', format: 'binary' },
    ...(item && { 'x-item-schema': schemas.add(item, 'output') }),
  }
  return Object.fromEntries(types.map((type) => [type, body]))
}
