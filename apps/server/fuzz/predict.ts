import { OF_UPSTREAMS } from '@vaani/conformance'
import {
  EMOTIONS,
  type ErrorCode,
  ERRORS,
  idempotencyKeySchema,
  isErrorCode,
  isOptionalBody,
  LIMITS,
  readInput,
} from '@vaani/contracts'
import type { DocumentedRoute } from '@vaani/contracts/openapi'
import { z } from 'zod'
import type { FuzzCase } from './fuzz-case.ts'
import { predictBody } from './predict-body.ts'
import type { WireRequest } from './wire-request.ts'
import { servedRoutes } from '../test/support/served-routes.ts'
import { type Owner, PARAMETERS } from './world.ts'

/** A case and its form on the wire. */
export interface SentCase {
  route: DocumentedRoute
  request: FuzzCase
  /** The path parameters as written in the URL. */
  path: Readonly<Record<string, string>>
  wire: WireRequest
  headBytes: number
}

/** Statuses that the contract and the order of checks allow for a response. */
export type Expected = ReadonlySet<number>

const HEAD_LIMIT_BYTES = 16_384
/** Path parameters whose objects an operator may see in every account and mode. */
const SEEN_BY_OPERATORS: readonly string[] = ['account_id', 'key_id', 'caller_id_id', 'member_id']
/** Path parameters of objects that an earlier request may have deleted. */
const DELETABLE: readonly string[] = servedRoutes
  .filter(({ method }) => method === 'DELETE')
  .flatMap(({ path }) => /:([a-z_]+)$/.exec(path)?.[1] ?? [])
const NOT_FOUND = Object.fromEntries([...OF_UPSTREAMS].map((operation) => [operation, [404]]))
/** Statuses, besides success, that a known good request may get because what it reads does not exist. */
const STATEFUL: Readonly<Record<string, readonly number[]>> = {
  'calls.recording': [404],
  'calls.transcript': [404],
  'calls.removeRecording': [404],
  'models.retrieve': [404],
  'callerIds.verify': [422],
  ...NOT_FOUND,
  'reviews.media': [404],
  'reviews.frames': [404],
}
/** Operations on what both modes share. The good key is a test key of an operator who has live ones. */
export const FOR_LIVE_KEYS: ReadonlySet<string> = new Set(
  servedRoutes
    .map(({ metadata }) => metadata.operation)
    .filter((operation) => /^doNotCall\..*ForAll$/.test(operation)),
)
/** Statuses of rejections after a request has passed the schemas. */
const MEANINGS = [400, 403, 404, 409, 422]
const UPLOAD_REFUSALS = [400, 409, 413, 415, 422]

export function predict(sent: SentCase, mounted: ReadonlySet<string>): Expected {
  const statuses = judgeInOrder(sent, mounted)
  const { route, request, headBytes } = sent
  const more = [
    // Another request with the same key may be in flight, or the key was used for a different request.
    ...(request.idempotencyKey === null || statuses.has(405) ? [] : [409]),
    ...(route.metadata.limit === null ? [] : [429]),
    ...(headBytes > HEAD_LIMIT_BYTES - 1000 ? [431] : []),
  ]
  return new Set([...statuses, ...more])
}

function judgeInOrder(sent: SentCase, mounted: ReadonlySet<string>): ReadonlySet<number> {
  const { route, request } = sent
  const { metadata } = route
  const only = (...statuses: number[]) => new Set(statuses)
  if (!mounted.has(request.method)) return only(405)
  if (metadata.access === 'key') {
    if (['none', 'basic', 'malformed', 'unknown', 'revoked'].includes(request.key)) return only(401)
    if (request.key === 'scopeless' && metadata.scope !== null) return only(403)
  }
  const takesBody = metadata.errors.includes('unsupported_media_type')
  const bytes = request.body.bytes?.length ?? 0
  if (takesBody && bytes > metadata.bodyLimitBytes)
    return request.framing === 'length' ? only(413) : only(413, 415)
  const codings = request.fields.filter(([name]) => name === 'content-encoding').map(([, value]) => value)
  if (takesBody && codings.length > 0 && codings.join(', ') !== 'identity') return only(415)
  // Which model a form names is read last.
  if (isUpload(route))
    return only(...UPLOAD_REFUSALS, ...(metadata.errors.includes('not_found') ? [404] : []))
  const body = predictBody(request)
  if (body.kind === 'refused') return only(body.status)
  if (
    metadata.idempotencyKey &&
    typeof request.idempotencyKey === 'string' &&
    !idempotencyKeySchema.safeParse(request.idempotencyKey).success
  )
    return only(400)
  const isLeftOut = body.value === undefined && isOptionalBody(route)
  const refusal = refusalBySchema(sent, isLeftOut ? {} : body.value)
  if (refusal !== null) return only(refusal)
  if (metadata.operation === 'models.speech' && !isSpokenHere(body.value)) return only(400)
  return meaningOf(sent)
}

/**
 * Whether the engine of the tests, which follows no instructions, speaks in the manner of a request for hosted speech. Two of OpenAI's
 * models ignore them.
 */
function isSpokenHere(body: unknown): boolean {
  const { model, speed, instructions } = mannerSchema.parse(body)
  const words = instructions.trim().toLowerCase()
  const isIgnored = model === 'tts-1' || model === 'tts-1-hd'
  const isKnown = words === '' || EMOTIONS.some((emotion) => emotion === words)
  return (isIgnored || isKnown) && speed >= LIMITS.speedMin && speed <= LIMITS.speedMax
}
const mannerSchema = z.looseObject({
  model: z.string(),
  speed: z
    .number()
    .nullish()
    .transform((speed) => speed ?? 1),
  instructions: z
    .string()
    .nullish()
    .transform((words) => words ?? ''),
})

const isUpload = ({ metadata }: DocumentedRoute): boolean =>
  metadata.parts !== null || metadata.formParts !== null || metadata.operation === 'identity.submitV2'

function meaningOf({ route, request }: SentCase): ReadonlySet<number> {
  const { metadata, responses } = route
  const successes = Object.keys(responses)
    .map(Number)
    .filter((status) => status < 400)
  if (FOR_LIVE_KEYS.has(metadata.operation) && request.key === 'good') return new Set([403])
  for (const [name, value] of Object.entries(request.path))
    if (value.kind === 'object' && isOfAnother(name, value.owner) && request.key === 'good')
      return new Set([404])
  if (isKnownGood(request)) {
    const isDeletable = Object.keys(request.path).some((name) => DELETABLE.includes(name))
    const more = [
      ...(STATEFUL[metadata.operation] ?? []),
      ...(isDeletable ? [404] : []),
      ...(metadata.errors.some(isConflict) ? [409] : []),
    ]
    return new Set([...successes, ...more])
  }
  const declared = new Set(metadata.errors.map((code): number => ERRORS[code].status))
  return new Set([...successes, ...MEANINGS.filter((status) => declared.has(status))])
}

/** Not that of an idempotency key, which depends on the request. */
const isConflict = (code: ErrorCode): boolean =>
  ERRORS[code].status === 409 && code !== 'idempotency_conflict'

const isOfAnother = (parameter: string, owner: Owner): boolean =>
  owner !== 'own' && !SEEN_BY_OPERATORS.includes(parameter)

function isKnownGood({ key, path, query, body, fields }: FuzzCase): boolean {
  const isOwn = Object.entries(path).every(([name, value]) =>
    value.kind === 'object' ? value.owner === 'own' : !(name in PARAMETERS),
  )
  return (
    key === 'good' &&
    isOwn &&
    query === '' &&
    fields.length === 0 &&
    (body.isKnownGood || body.bytes === null)
  )
}

const ORDER = [400, 422, 404]

/** Returns the status of the first problem that the route's schemas find, in the order of checks. */
function refusalBySchema({ route, request, path }: SentCase, body: unknown): number | null {
  const schemas: [unknown, unknown][] = [
    [route.pathParams, Object.fromEntries(Object.entries(path).map(([name, text]) => [name, decode(text)]))],
    [route.query, readQuery(request.query)],
    ...Object.entries(route.headers ?? {}).map(([name, schema]): [unknown, unknown] => [
      schema,
      name === 'idempotency-key' ? undefined : request.fields.findLast(([field]) => field === name)?.[1],
    ]),
    ['body' in route ? route.body : undefined, body],
  ]
  const statuses = schemas.flatMap(([schema, value]) =>
    schema instanceof z.ZodType ? (readInput(schema, value).error?.issues.map(statusOf) ?? []) : [],
  )
  return ORDER.find((status) => statuses.includes(status)) ?? statuses[0] ?? null
}

function statusOf(issue: z.core.$ZodIssue): number {
  const code: unknown = issue.code === 'custom' ? issue.params?.['error_code'] : undefined
  return isErrorCode(code) ? ERRORS[code].status : ERRORS.invalid_request.status
}

/** Decodes text, with U+0000 in place of text that cannot be decoded, because both are rejected. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return '\0'
    throw error
  }
}

function readQuery(query: string): Record<string, string | string[]> {
  const read: Record<string, string | string[]> = Object.create(null)
  for (const pair of query.split('&').filter((one) => one !== '')) {
    const equals = pair.indexOf('=')
    const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
    const key = decode(name.replaceAll('+', ' '))
    const text = decode(value.replaceAll('+', ' '))
    const earlier = read[key]
    read[key] = earlier === undefined ? text : [...[earlier].flat(), text]
  }
  return read
}
