import { z } from 'zod'
import { type ErrorCode, type ErrorResponses, errorResponses } from './errors.ts'
import { type AddressLimitName, type ConcurrencyLimitName, LIMITS, type RateLimitName } from './limits.ts'
import type { Scope } from './scopes.ts'
import type { formData, noBody } from './ts-rest.ts'

/** A part of a multipart body. */
export type PartDefinition =
  | {
      kind: 'file'
      required: boolean
      maxBytes: number
      maxFiles?: number
      mediaTypes: readonly string[]
      description: string
    }
  | { kind: 'text'; required: boolean; schema: z.ZodType; description: string }

/** Kind of a success body; sets its media types and how a client reads it. */
export type BodyKind = 'json' | 'bytes' | 'pcm-stream' | 'event-stream' | 'ndjson' | 'text' | 'none'

/** Description of a response header. With `json`, the header value is one line of JSON of that schema. */
export type ResponseHeader = string | { description: string; json: z.ZodType }
export type ResponseHeaders = Readonly<Record<string, ResponseHeader>>

/** A success body sent as a sequence of items. */
export interface StreamDefinition {
  /** Schema of one event or line. */
  item: z.ZodType
  /** A complete stream, as sent on the wire. */
  example: string
}

/** Names under which tools send lines of JSON. None is registered. */
export const LINES_TYPES = [
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonl',
  'application/jsonlines',
  'application/json-lines',
  'application/x-jsonlines',
] as const

/** A body of one JSON value per line, which a route accepts as well as JSON. */
export interface LinesDefinition {
  description: string
  /** A complete body. */
  example: string
}

/** Properties of a route, besides its shapes, from which the server, the client and the documents are derived. */
export interface RouteMetadata {
  /** Unique name, such as `calls.place`. */
  operation: string
  /** `public` routes need no API key. */
  access: 'key' | 'public'
  /** Scope that the key needs; null accepts any key. */
  scope: Scope | null
  /** Rate limit that counts the request. `by_model`: known only after `model` has been read from the body. */
  limit: RateLimitName | { by_model: Readonly<Record<string, RateLimitName>> } | null
  /** Limit that counts the request by client address; public routes only. */
  addressLimit: AddressLimitName | null
  /** Concurrency limit of the request. */
  concurrency: ConcurrencyLimitName | null
  bodyLimitBytes: number
  /** Whether `Idempotency-Key` is honoured; true for every POST. */
  idempotencyKey: boolean
  /** Whether the success body contains a secret, and is therefore never stored for a replay. */
  secretAnswer: boolean
  /** Whether a success body is never stored for a replay, because it is personal; a repeat makes it again. */
  privateAnswer: boolean
  /** Whether the request is about work in the background, which therefore need not give way to it. */
  background: boolean
  /** Whether the route goes beyond the specification. */
  beyondSpecification: boolean
  successBody: BodyKind
  /** Media types of a success body that is not JSON; null uses those of its kind. */
  mediaTypes: readonly string[] | null
  /** Describes the items of those media types that are text; null if there are none. */
  stream: StreamDefinition | null
  errors: readonly ErrorCode[]
  parts: Readonly<Record<string, PartDefinition>> | null
  /** Parts of a multipart body that the route accepts as well as JSON; null if it does not. */
  formParts: Readonly<Record<string, PartDefinition>> | null
  /** The body as NDJSON, if the route accepts it as well as JSON; null if it does not. */
  lines: LinesDefinition | null
  responseHeaders: ResponseHeaders
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Schema = z.ZodType | typeof noBody

interface RouteDefinition {
  operation: string
  method: Method
  path: `/${string}`
  summary: string
  description: string
  access?: 'public'
  scope?: Scope
  limit?: RouteMetadata['limit']
  addressLimit?: AddressLimitName
  concurrency?: ConcurrencyLimitName
  bodyLimitBytes?: number
  secretAnswer?: true
  privateAnswer?: true
  background?: true
  beyondSpecification?: true
  pathParams?: z.ZodType
  query?: z.ZodType
  headers?: Record<string, z.ZodType>
  body?: z.ZodType | typeof noBody | typeof formData
  contentType?: 'application/json' | 'multipart/form-data'
  parts?: Readonly<Record<string, PartDefinition>>
  formParts?: Readonly<Record<string, PartDefinition>>
  lines?: LinesDefinition
  success: Record<number, Schema>
  successBody?: BodyKind
  mediaTypes?: readonly string[]
  stream?: StreamDefinition
  errors?: readonly ErrorCode[]
  responseHeaders?: ResponseHeaders
}

const PUBLIC_ERRORS = ['invalid_request', 'internal_error', 'service_unavailable'] as const
const KEY_ERRORS = ['unauthorized', 'forbidden', 'rate_limit_exceeded'] as const
const ADDRESS_ERRORS = ['rate_limit_exceeded'] as const
const BODY_ERRORS = ['payload_too_large', 'unsupported_media_type'] as const
const POST_ERRORS = ['idempotency_conflict'] as const

type CommonErrors<T extends RouteDefinition> =
  | (typeof PUBLIC_ERRORS)[number]
  | (T['access'] extends 'public' ? never : (typeof KEY_ERRORS)[number])
  | (T extends { addressLimit: AddressLimitName } ? (typeof ADDRESS_ERRORS)[number] : never)
  | (T['method'] extends 'GET' ? never : (typeof BODY_ERRORS)[number])
  | (T['method'] extends 'POST' ? (typeof POST_ERRORS)[number] : never)

type OwnErrors<T extends RouteDefinition> = T extends { errors: readonly (infer Code extends ErrorCode)[] }
  ? Code
  : never

/** Error codes that a route can return. */
export type RouteErrors<T extends RouteDefinition> = CommonErrors<T> | OwnErrors<T>

/** Header of every POST. A repeat with the same key and body replays the first successful response. */
export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters')
  .max(LIMITS.idempotencyKeyCharacters)
  .meta({
    description:
      `Makes retries safe: for ${LIMITS.idempotencyHours} h, a request with the same key and body gets the first successful ` +
      'response again. The same key with a different body is 409 `idempotency_conflict`.',
    examples: ['0f0c7c1e-6a49-4b59-8a55-3c1f4a1c9b1e'],
  })

// A type, not an interface, because ts-rest requires an index signature.
type IdempotencyHeader = { 'idempotency-key': z.ZodOptional<typeof idempotencyKeySchema> }

type RouteHeaders<T extends RouteDefinition> = (T['headers'] extends object ? T['headers'] : {}) &
  (T['method'] extends 'POST' ? IdempotencyHeader : {})

type Shape = 'method' | 'path' | 'summary' | 'description' | 'pathParams' | 'query' | 'body' | 'contentType'

/** A route as the server and the clients see it. */
export type Route<T extends RouteDefinition> = Pick<T, Extract<keyof T, Shape>> & {
  headers: RouteHeaders<T>
  responses: T['success'] & ErrorResponses<RouteErrors<T>>
  strictStatusCodes: true
  metadata: RouteMetadata
}

/** Completes a route with the errors, headers and limits that all routes of its kind share. */
export function defineRoute<const T extends RouteDefinition>(definition: T): Route<T>
export function defineRoute(definition: RouteDefinition): object {
  const { method, path, summary, description, pathParams, query, body, contentType, headers } = definition
  const isPublic = definition.access === 'public'
  const isPost = method === 'POST'
  const errors = new Set<ErrorCode>([
    ...PUBLIC_ERRORS,
    ...(isPublic ? [] : KEY_ERRORS),
    ...(definition.addressLimit ? ADDRESS_ERRORS : []),
    // A client may send a body even to a route that takes none.
    ...(method === 'GET' ? [] : BODY_ERRORS),
    ...(isPost ? POST_ERRORS : []),
    ...(definition.errors ?? []),
  ])
  const metadata: RouteMetadata = {
    operation: definition.operation,
    access: definition.access ?? 'key',
    scope: definition.scope ?? null,
    limit: definition.limit ?? null,
    addressLimit: definition.addressLimit ?? null,
    concurrency: definition.concurrency ?? null,
    bodyLimitBytes: definition.bodyLimitBytes ?? LIMITS.jsonBodyBytes,
    idempotencyKey: isPost,
    secretAnswer: definition.secretAnswer ?? false,
    privateAnswer: definition.privateAnswer ?? false,
    background: definition.background ?? false,
    beyondSpecification: definition.beyondSpecification ?? false,
    successBody: definition.successBody ?? 'json',
    mediaTypes: definition.mediaTypes ?? null,
    stream: definition.stream ?? null,
    errors: [...errors],
    parts: definition.parts ?? null,
    formParts: definition.formParts ?? null,
    lines: definition.lines ?? null,
    responseHeaders: definition.responseHeaders ?? {},
  }
  return {
    method,
    path,
    summary,
    description,
    ...(pathParams && { pathParams }),
    ...(query && { query }),
    ...(body && { body }),
    ...(contentType && { contentType }),
    headers: { ...headers, ...(isPost && { 'idempotency-key': idempotencyKeySchema.optional() }) },
    responses: { ...definition.success, ...errorResponses([...errors]) },
    strictStatusCodes: true,
    metadata,
  }
}

/** Bytes of a success body, as a server returns them. */
export type BinaryBody = AsyncIterable<Uint8Array> | Uint8Array

/** A body of bytes. A client gets whatever its transport produces: a `Blob` with the one of ts-rest. */
export const binaryBodySchema: z.ZodType<BinaryBody | Blob, BinaryBody> = z.custom<BinaryBody>(
  (value) =>
    value instanceof Uint8Array ||
    (typeof value === 'object' && value !== null && Symbol.asyncIterator in value),
)

/** Returns the schema with a description for its use in one property; its other metadata stays. */
export const described = <T extends z.ZodType>(schema: T, description: string): T =>
  schema.meta({ ...schema.meta(), description })
