import { z } from 'zod'
import { errorBodySchema, type ErrorCode, ERRORS } from '../shared/errors.ts'
import { binaryBodySchema, type ResponseHeader, type RouteMetadata } from '../shared/route.ts'
import { binaryContent } from './media.ts'
import { headerName } from './request.ts'
import { type JsonObject, type SchemaCollector, sortedByName } from './schemas.ts'

const REQUEST_ID_EXAMPLE = 'req_01kamx3v6pf9hr2x8c0q5d7etn'

const textHeader = (description: string, example: string): JsonObject => ({
  description,
  schema: { type: 'string', examples: [example] },
})

/** Header components that responses share. */
export const HEADERS: JsonObject = {
  RequestId: textHeader('Id of the request, for support; also in the body of an error.', REQUEST_ID_EXAMPLE),
  RateLimit: textHeader(
    'For each limit, how many are left (r) and the seconds until there are more (t), as in draft-ietf-httpapi-ratelimit-headers-10.',
    '"place_call";r=9;t=1',
  ),
  RateLimitPolicy: textHeader(
    'Each limit: at most q requests in any w seconds, or q at a time if `qu` is `"concurrent-requests"`.',
    '"place_call";q=10;w=1',
  ),
  WwwAuthenticate: textHeader('The authentication scheme of API keys.', 'Bearer'),
  RetryAfter: {
    description: 'Whole seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 1 },
  },
  IdempotentReplayed: textHeader('`true` if this repeats the first response to the same key.', 'true'),
}

const headerReference = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` })

const commonHeaders = (isLimited: boolean): JsonObject => ({
  'X-Request-Id': headerReference('RequestId'),
  ...(isLimited && {
    RateLimit: headerReference('RateLimit'),
    'RateLimit-Policy': headerReference('RateLimitPolicy'),
  }),
})

const WITHOUT_BODY: Readonly<Record<string, string>> = {
  '101': 'The connection becomes a WebSocket.',
  '304': 'Not modified; no body.',
}

/** Describes a success of a route. A body that may be bytes or JSON has both media types. */
export function successResponse(
  schema: unknown,
  { status, metadata, isLimited }: { status: string; metadata: RouteMetadata; isLimited: boolean },
  schemas: SchemaCollector,
): JsonObject {
  const headers: JsonObject = {
    ...commonHeaders(isLimited),
    ...(metadata.idempotencyKey && { 'Idempotent-Replayed': headerReference('IdempotentReplayed') }),
  }
  for (const [name, header] of Object.entries(metadata.responseHeaders))
    headers[headerName(name)] = responseHeader(header, schemas)
  if (!(schema instanceof z.ZodType))
    return { description: WITHOUT_BODY[status] ?? 'Done; no body.', headers }
  const choices = schema instanceof z.ZodUnion ? schema.options : [schema]
  const contents = choices.map((choice): JsonObject => {
    if (choice === binaryBodySchema) return binaryContent(metadata, schemas)
    return choice instanceof z.ZodType
      ? { 'application/json': { schema: schemas.add(choice, 'output') } }
      : {}
  })
  return { description: 'Success.', headers, content: Object.assign({}, ...contents) }
}

function responseHeader(header: ResponseHeader, schemas: SchemaCollector): JsonObject {
  if (typeof header === 'string') return { description: header, schema: { type: 'string' } }
  const { description, json } = header
  return { description, content: { 'application/json': { schema: schemas.add(json, 'output') } } }
}

/** Collects the error responses, because most routes share theirs. */
export interface ErrorCollector {
  /** Returns a reference to the errors of one status: a closed set of codes with an example of each. */
  add(codes: readonly ErrorCode[], isLimited: boolean): JsonObject
  components(): JsonObject
}

export function createErrorCollector(schemas: SchemaCollector): ErrorCollector {
  const components = new Map<string, JsonObject>()
  return {
    add(codes, isLimited) {
      const name = `${codes.toSorted().join('-or-')}${isLimited ? '-limited' : ''}`
      if (!components.has(name)) components.set(name, errorResponse(codes, isLimited, schemas))
      return { $ref: `#/components/responses/${name}` }
    },
    components: () => sortedByName(components),
  }
}

function errorResponse(
  codes: readonly ErrorCode[],
  isLimited: boolean,
  schemas: SchemaCollector,
): JsonObject {
  const mayWait = codes.some((code) => ERRORS[code].retryable || code === 'idempotency_conflict')
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].description}`).join('\n\n'),
    headers: {
      ...commonHeaders(isLimited),
      ...(codes.includes('unauthorized') && { 'WWW-Authenticate': headerReference('WwwAuthenticate') }),
      ...(mayWait && { 'Retry-After': headerReference('RetryAfter') }),
    },
    content: {
      'application/json': {
        schema: schemas.add(errorBodySchema(codes), 'output'),
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  }
}

function exampleOf(code: ErrorCode): JsonObject {
  const { type, description } = ERRORS[code]
  return { error: { code, message: description, type, param: null, request_id: REQUEST_ID_EXAMPLE } }
}
