import { z } from 'zod'
import { type ErrorCode, ERRORS, type ErrorStatus } from '../shared/errors.ts'
import { binaryBodySchema, type BodyKind, type RouteMetadata } from '../shared/route.ts'
import type { JsonObject, SchemaCollector } from './schemas.ts'

/** Media types of a success body that is no JSON. */
const MEDIA_TYPES: Readonly<Record<Exclude<BodyKind, 'json' | 'none'>, readonly string[]>> = {
  audio: ['audio/wav', 'audio/mpeg', 'audio/ogg'],
  'pcm-stream': ['audio/pcm', 'audio/wav'],
  'event-stream': ['text/event-stream'],
  ndjson: ['application/x-ndjson'],
  text: ['text/plain'],
}

const textHeader = (description: string, example: string): JsonObject => ({
  description,
  schema: { type: 'string', examples: [example] },
})

/** Headers that are described once. */
export const HEADERS: JsonObject = {
  RequestId: textHeader('Id of the request, for support; also in the body of an error.', 'req_01kamx3v6pf9hr2x8c0q5d7etn'),
  RateLimit: textHeader('What is left of the limit: r, and seconds until all of it is there again: t.', '"place_call";r=9;t=1'),
  RateLimitPolicy: textHeader('The limit: q requests in w seconds.', '"place_call";q=10;w=1'),
  RetryAfter: { description: 'Whole seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  IdempotentReplayed: textHeader('`true` where the first answer is given again.', 'true'),
}

const headerReference = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` })

function commonHeaders(metadata: RouteMetadata): JsonObject {
  return {
    'X-Request-Id': headerReference('RequestId'),
    ...(metadata.limit !== null && {
      RateLimit: headerReference('RateLimit'),
      'RateLimit-Policy': headerReference('RateLimitPolicy'),
    }),
  }
}

/** A success of a route; a body that may be bytes or JSON has both media types. */
export function successResponse(options: {
  status: string
  schema: unknown
  metadata: RouteMetadata
  schemas: SchemaCollector
}): JsonObject {
  const { status, schema, metadata, schemas } = options
  const headers: JsonObject = {
    ...commonHeaders(metadata),
    ...(metadata.idempotencyKey && { 'Idempotent-Replayed': headerReference('IdempotentReplayed') }),
  }
  for (const [name, description] of Object.entries(metadata.responseHeaders))
    headers[name] = { description, schema: { type: 'string' } }
  const description = status === '204' ? 'Done; no body.' : 'Success.'
  if (!(schema instanceof z.ZodType)) return { description, headers }
  const choices = schema instanceof z.ZodUnion ? schema.options : [schema]
  const content: JsonObject = {}
  for (const choice of choices) {
    if (choice === binaryBodySchema)
      for (const type of mediaTypesOf(metadata.successBody)) content[type] = { schema: { type: 'string', format: 'binary' } }
    else if (choice instanceof z.ZodType) content['application/json'] = { schema: schemas.add(choice, 'output') }
  }
  return { description, headers, content }
}

/** A chat is JSON or, where it is streamed, events. */
const mediaTypesOf = (kind: BodyKind): readonly string[] =>
  kind === 'json' ? MEDIA_TYPES['event-stream'] : kind === 'none' ? [] : MEDIA_TYPES[kind]

/** Collects the error responses, as most routes share theirs. */
export interface ErrorResponses {
  /** A reference to the errors of one status, their codes closed, each with an example. */
  add(status: ErrorStatus, metadata: RouteMetadata): JsonObject
  components(): JsonObject
}

export function createErrorResponses(): ErrorResponses {
  const components = new Map<string, JsonObject>()
  return {
    add(status, metadata) {
      const codes = metadata.errors.filter((code) => ERRORS[code].status === status)
      const limited = metadata.limit !== null
      const name = `${codes.toSorted().join('-or-')}${limited ? '-limited' : ''}`
      if (!components.has(name)) components.set(name, describeErrors(codes, commonHeaders(metadata)))
      return { $ref: `#/components/responses/${name}` }
    },
    components: () => Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function describeErrors(codes: readonly ErrorCode[], headers: JsonObject): JsonObject {
  const waits = codes.some((code) => ERRORS[code].retryable || code === 'idempotency_conflict')
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].description}`).join('\n\n'),
    headers: { ...headers, ...(waits && { 'Retry-After': headerReference('RetryAfter') }) },
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { error: { type: 'object', properties: { code: { enum: [...codes] } } } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  }
}

function exampleOf(code: ErrorCode): JsonObject {
  const { type, description } = ERRORS[code]
  return { error: { code, message: description, type, param: null, request_id: 'req_01kamx3v6pf9hr2x8c0q5d7etn' } }
}
