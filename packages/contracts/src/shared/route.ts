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

/** What a success body is, for those who do not read it as JSON. */
export type BodyKind = 'json' | 'audio' | 'pcm-stream' | 'event-stream' | 'ndjson' | 'text' | 'none'

/** Meaning of a response header. `json`: the header holds one line of JSON of this schema. */
export type ResponseHeader = string | { description: string; json: z.ZodType }
export type ResponseHeaders = Readonly<Record<string, ResponseHeader>>

/** A success body that is sent piece by piece. */
export interface StreamDefinition {
  /** What one event or line holds. */
  item: z.ZodType
  /** A whole stream, as it is sent. */
  example: string
}

/** What the server, the client and the documents derive their behaviour from, beside the shapes. */
export interface RouteMetadata {
  /** Unique, as in `calls.place`. */
  operation: string
  /** `license`: an on-premise licence is accepted in place of a key. */
  access: 'key' | 'public'
  /** What the key must be allowed to do; null: any key. */
  scope: Scope | null
  /** Which limit counts the request. `by_model`: known only once the body's `model` is read. */
  limit: RateLimitName | { by_model: Readonly<Record<string, RateLimitName>> } | null
  /** Which limit counts the request by its address: of public routes only. */
  addressLimit: AddressLimitName | null
  /** Which limit on how many at a time holds for the request. */
  concurrency: ConcurrencyLimitName | null
  bodyLimitBytes: number
  /** Whether an Idempotency-Key is honoured: on every POST. */
  idempotencyKey: boolean
  /** Whether the success body holds a secret: it is then never kept for a replay. */
  secretAnswer: boolean
  /** Whether the route goes beyond the specification. */
  beyondSpecification: boolean
  successBody: BodyKind
  /** Media types of a success body that is not JSON; null: those of its kind. */
  mediaTypes: readonly string[] | null
  /** Null: the success body is sent whole, or is audio. */
  stream: StreamDefinition | null
  errors: readonly ErrorCode[]
  parts: Readonly<Record<string, PartDefinition>> | null
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
  beyondSpecification?: true
  pathParams?: z.ZodType
  query?: z.ZodType
  headers?: Record<string, z.ZodType>
  body?: z.ZodType | typeof noBody | typeof formData
  contentType?: 'application/json' | 'multipart/form-data'
  parts?: Readonly<Record<string, PartDefinition>>
  success: Record<number, Schema>
  successBody?: BodyKind
  mediaTypes?: readonly string[]
  stream?: StreamDefinition
  errors?: readonly ErrorCode[]
  responseHeaders?: ResponseHeaders
}

const PUBLIC_ERRORS = ['invalid_request', 'internal_error', 'service_unavailable'] as const
const KEY_ERRORS = ['unauthorized', 'forbidden', 'rate_limit_exceeded'] as const
const BODY_ERRORS = ['payload_too_large', 'unsupported_media_type'] as const
const POST_ERRORS = ['idempotency_conflict'] as const

type CommonErrors<T extends RouteDefinition> =
  | (typeof PUBLIC_ERRORS)[number]
  | (T['access'] extends 'public' ? never : (typeof KEY_ERRORS)[number])
  | (T['method'] extends 'GET' ? never : (typeof BODY_ERRORS)[number])
  | (T['method'] extends 'POST' ? (typeof POST_ERRORS)[number] : never)

type OwnErrors<T extends RouteDefinition> = T extends { errors: readonly (infer Code extends ErrorCode)[] }
  ? Code
  : never

/** The codes that a route can answer with. */
export type RouteErrors<T extends RouteDefinition> = CommonErrors<T> | OwnErrors<T>

/** Header of every POST: the same key and body give the first answer again. */
export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]+$/)
  .max(LIMITS.idempotencyKeyCharacters)
  .meta({
    description: `Makes a retry safe: the same key and body give the first answer again, for ${LIMITS.idempotencyHours} h.`,
    examples: ['0f0c7c1e-6a49-4b59-8a55-3c1f4a1c9b1e'],
  })

// A type and not an interface, as ts-rest asks for an index signature.
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

/** Completes a route: adds the errors, headers and limits that all routes of its kind have. */
export function defineRoute<const T extends RouteDefinition>(definition: T): Route<T>
export function defineRoute(definition: RouteDefinition): object {
  const { method, path, summary, description, pathParams, query, body, contentType, headers } = definition
  const isPublic = definition.access === 'public'
  const isPost = method === 'POST'
  const errors = new Set<ErrorCode>([
    ...PUBLIC_ERRORS,
    ...(isPublic ? [] : KEY_ERRORS),
    // A body comes with what needs none as well.
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
    beyondSpecification: definition.beyondSpecification ?? false,
    successBody: definition.successBody ?? 'json',
    mediaTypes: definition.mediaTypes ?? null,
    stream: definition.stream ?? null,
    errors: [...errors],
    parts: definition.parts ?? null,
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

/** Bytes of a success body, as a server gives them. */
export type BinaryBody = AsyncIterable<Uint8Array> | Uint8Array

/** A client gets what its transport makes of them; that of ts-rest, a `Blob`. */
export const binaryBodySchema: z.ZodType<BinaryBody | Blob, BinaryBody> = z.custom<BinaryBody>(
  (value) =>
    value instanceof Uint8Array ||
    (typeof value === 'object' && value !== null && Symbol.asyncIterator in value),
)

/** A schema with the description that a property's place gives it. */
export const described = <T extends z.ZodType>(schema: T, description: string): T =>
  schema.meta({ ...schema.meta(), description })
