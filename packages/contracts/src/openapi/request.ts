import { z } from 'zod'
import type { RouteMetadata } from '../shared/route.ts'
import type { AppRoute } from '../shared/ts-rest.ts'
import type { JsonObject, SchemaCollector } from './schemas.ts'

const HEADER_NAMES: Readonly<Record<string, string>> = {
  'idempotency-key': 'Idempotency-Key',
  'x-service-signature': 'X-Service-Signature',
}

/** Parameters of the path, the query and the headers. */
export function parametersOf(route: AppRoute, schemas: SchemaCollector): JsonObject[] {
  const headers = typeof route.headers === 'object' && route.headers !== null ? Object.entries(route.headers) : []
  return [
    ...(route.path.match(/:[a-z_]+/g) ?? []).map((name) => pathParameter(name.slice(1), route.pathParams, schemas)),
    ...objectParameters('query', route.query, schemas),
    ...headers.flatMap(([name, schema]) =>
      schema instanceof z.ZodType ? [parameter('header', HEADER_NAMES[name] ?? name, schema, schemas)] : [],
    ),
  ]
}

function pathParameter(name: string, params: unknown, schemas: SchemaCollector): JsonObject {
  const schema = params instanceof z.ZodObject ? params.shape[name] : undefined
  if (!(schema instanceof z.ZodType)) throw new Error(`The path parameter ${name} has no schema`)
  return { ...parameter('path', name, schema, schemas), required: true }
}

function objectParameters(where: string, object: unknown, schemas: SchemaCollector): JsonObject[] {
  if (!(object instanceof z.ZodObject)) return []
  return Object.entries(object.shape).flatMap(([name, schema]) =>
    schema instanceof z.ZodType ? [parameter(where, name, schema, schemas)] : [],
  )
}

function parameter(where: string, name: string, schema: z.ZodType, schemas: SchemaCollector): JsonObject {
  // `examples` of a parameter are objects in OpenAPI, of a schema they are values; those of the schema are enough.
  const { description, ...json } = schemas.add(schema, 'input')
  return {
    name,
    in: where,
    required: where === 'path' || !schema.safeParse(undefined).success,
    ...(description !== undefined && { description }),
    schema: json,
  }
}

/** The body of a request, or undefined where it has none. */
export function requestBodyOf(route: AppRoute, metadata: RouteMetadata, schemas: SchemaCollector): JsonObject | undefined {
  if (metadata.parts !== null) return { required: true, content: { 'multipart/form-data': multipartOf(metadata.parts, schemas) } }
  const body = 'body' in route ? route.body : undefined
  if (!(body instanceof z.ZodType)) return undefined
  return { required: true, content: { 'application/json': { schema: schemas.add(body, 'input') } } }
}

function multipartOf(parts: NonNullable<RouteMetadata['parts']>, schemas: SchemaCollector): JsonObject {
  const properties: JsonObject = {}
  const encoding: JsonObject = {}
  for (const [name, part] of Object.entries(parts)) {
    const { description } = part
    if (part.kind === 'text') {
      properties[name] = { ...schemas.add(part.schema, 'input'), description }
      continue
    }
    const file = { type: 'string', format: 'binary' }
    const limited = `${description} At most ${Math.round(part.maxBytes / 1024 / 1024)} MiB.`
    properties[name] =
      part.maxFiles === undefined
        ? { ...file, description: limited }
        : { type: 'array', items: file, minItems: 1, maxItems: part.maxFiles, description: limited }
    encoding[name] = { contentType: part.mediaTypes.join(', ') }
  }
  const required = Object.keys(parts).filter((name) => parts[name]?.required)
  return { schema: { type: 'object', required, properties }, encoding }
}
