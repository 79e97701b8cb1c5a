/** Success bodies that are not JSON: their media types, and the schema of each. */
import type { BodyKind, RouteMetadata } from '../shared/route.ts'
import { PCM_STREAM } from '../speech/resources.ts'
import type { JsonObject, SchemaCollector } from './schemas.ts'

const MEDIA_TYPES: Readonly<Record<BodyKind, readonly string[]>> = {
  // The alternative to a JSON body is the same result as a stream of events.
  json: ['text/event-stream'],
  bytes: ['audio/wav', 'audio/mpeg', 'audio/ogg'],
  'pcm-stream': [`audio/pcm;rate=${PCM_STREAM.sampleRateHz};channels=1;format=s16le`, 'audio/wav'],
  'event-stream': ['text/event-stream'],
  ndjson: ['application/x-ndjson'],
  text: ['text/plain'],
  none: [],
}

/** Returns the media types of a route's bytes, each with its schema. */
export function binaryContent(metadata: RouteMetadata, schemas: SchemaCollector): JsonObject {
  const { mediaTypes, successBody, stream } = metadata
  const types = mediaTypes ?? MEDIA_TYPES[successBody]
  // OpenAPI 3.2 adds `itemSchema`; until tools support it, the schema of an item is an extension.
  const text: JsonObject = {
    schema: { type: 'string' },
    ...(stream && { 'x-item-schema': schemas.add(stream.item, 'output'), example: stream.example }),
  }
  const binary: JsonObject = { schema: { type: 'string', format: 'binary' } }
  return Object.fromEntries(
    types.map((type) => [type, /^(?:audio|image|video)\//.test(type) ? binary : text]),
  )
}
