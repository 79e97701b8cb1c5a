import { errorBodySchema, type ErrorCode, ERRORS } from '@vaani/contracts'
import { z } from 'zod'
import { CANARY } from './hostile.ts'
import { type Answer, headerOf } from './parse-answer.ts'
import type { Expected, SentCase } from './predict.ts'

/** A problem with a response. Findings of the same fault share a `kind`. */
export interface Finding {
  kind: string
  detail: string
}

const REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/
const JSON_TYPE = 'application/json; charset=utf-8'
const ERROR_KEYS: ReadonlySet<string> = new Set(['code', 'message', 'type', 'param', 'request_id', 'details'])
const codesWith = (status: number) =>
  (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].status === status)

/** Statuses raised before or instead of routing, so no route lists them. */
const OUTSIDE_ROUTES: ReadonlySet<number> = new Set([405, 408, 431])

/** Finds the problem with a response to a request for a route; null if there is none. */
export function judge(sent: SentCase, answer: Answer, expected: Expected): Finding | null {
  const { status } = answer
  const { operation, errors } = sent.route.metadata
  const wrong = (kind: string, detail = '') => ({
    kind: `${operation}: ${kind}`,
    detail: `${status} ${detail} ${excerpt(answer)}`,
  })
  if (status >= 500 && !isTrue503(answer)) return wrong(`answers ${status}`)
  if (status < 500 && !expected.has(status))
    return wrong(`answers ${status} instead of ${[...expected].join(' or ')}`)
  const declared = OUTSIDE_ROUTES.has(status)
    ? codesWith(status)
    : errors.filter((code) => ERRORS[code].status === status)
  const problem =
    problemOfAnswer(answer, { codes: declared, isHead: sent.request.method === 'HEAD' }) ??
    problemOfSuccess(sent, answer)
  return problem === null ? null : wrong(problem)
}

/** Finds a problem that would be wrong in any response, whatever the request; null if there is none. */
export function problemOfAnswer(
  answer: Answer,
  options: { codes?: readonly ErrorCode[]; isHead?: boolean } = {},
): string | null {
  const { status, body, headers } = answer
  const { codes = codesWith(status), isHead = false } = options
  const requestId = headerOf(answer, 'x-request-id') ?? ''
  if (!REQUEST_ID.test(requestId)) return 'lacks a request id'
  if (headerOf(answer, 'x-content-type-options') !== 'nosniff') return 'lacks nosniff'
  if (headerOf(answer, 'cache-control') === undefined) return 'lacks Cache-Control'
  for (const [name, values] of headers)
    if (values.length > 1 && name !== 'set-cookie') return `repeats the header ${name}`
  if (status < 400) return null
  if (headerOf(answer, 'cache-control') !== 'no-store') return 'is a cacheable error'
  if (status === 401 && headerOf(answer, 'www-authenticate') !== 'Bearer') return 'lacks WWW-Authenticate'
  if (status === 405 && !/^[A-Z]+(, [A-Z]+)*$/.test(headerOf(answer, 'allow') ?? ''))
    return 'lacks a valid Allow'
  if ((status === 429 || status === 503) && !/^[1-9]\d*$/.test(headerOf(answer, 'retry-after') ?? ''))
    return 'lacks a valid Retry-After'
  if (headerOf(answer, 'content-type') !== JSON_TYPE) return 'is an error with the wrong content type'
  return isHead ? null : problemOfError(body, codes, requestId)
}

function problemOfError(body: Buffer, codes: readonly ErrorCode[], requestId: string): string | null {
  const text = body.toString()
  const parsed = parseJson(text)
  const checked = errorBodySchema(codes).safeParse(parsed)
  if (!checked.success) return 'is an error that violates the contract'
  const { error } = checked.data
  if (error.request_id !== requestId) return 'has a different request id in its body'
  if (ERRORS[error.code].type !== error.type) return 'has the error type of another code'
  if (Object.keys(Object(Object(parsed).error)).some((key) => !ERROR_KEYS.has(key)))
    return 'has an unknown error field'
  if (text.includes(CANARY)) return 'quotes a value of the request'
  return null
}

function problemOfSuccess({ route, request }: SentCase, answer: Answer): string | null {
  const { status, body } = answer
  if (status >= 400 || request.method === 'HEAD') return null
  const schema: unknown = route.responses[status]
  if (!(schema instanceof z.ZodType)) return body.length === 0 ? null : 'has an unexpected body'
  const { successBody, mediaTypes, stream } = route.metadata
  if (stream !== undefined && headerOf(answer, 'content-type') === 'text/event-stream') return null
  if (successBody !== 'json') {
    const type = headerOf(answer, 'content-type') ?? ''
    const isRight =
      mediaTypes?.includes(type) ??
      (successBody === 'ndjson' ? type === 'application/x-ndjson' : type.startsWith('audio/'))
    return isRight ? null : 'has the wrong content type'
  }
  if (headerOf(answer, 'content-encoding') !== undefined) return null
  if (headerOf(answer, 'content-type') !== JSON_TYPE) return 'has the wrong content type'
  return schema.safeParse(parseJson(body.toString())).success
    ? null
    : 'is a success that violates the contract'
}

/** A genuine `service_unavailable` response, as opposed to any other 503. */
const isTrue503 = (answer: Answer): boolean =>
  answer.status === 503 &&
  Object(Object(parseJson(answer.body.toString())).error).code === 'service_unavailable'

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const excerpt = ({ body }: Answer): string => body.toString('latin1', 0, 300)
