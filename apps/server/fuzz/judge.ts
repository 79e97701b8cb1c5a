import { errorBodySchema, type ErrorCode, ERRORS } from '@vaani/contracts'
import { z } from 'zod'
import { CANARY } from './hostile.ts'
import { type Answer, headerOf } from './parse-answer.ts'
import type { Expected, SentCase } from './predict.ts'

/** What is wrong with an answer; the kind is what two findings of one fault share. */
export interface Finding {
  kind: string
  detail: string
}

const REQUEST_ID = /^[A-Za-z0-9._-]{8,128}$/
const JSON_TYPE = 'application/json; charset=utf-8'
const ERROR_KEYS: ReadonlySet<string> = new Set(['code', 'message', 'type', 'param', 'request_id', 'details'])
const codesWith = (status: number) =>
  (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].status === status)

/** Raised before a route is known, or in place of one: no route lists them. */
const OUTSIDE_ROUTES: ReadonlySet<number> = new Set([405, 408, 431])

/** What is wrong with the answer to a request that was aimed at a route; null if nothing is. */
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

/** What is wrong with any answer, whatever was asked. */
export function problemOfAnswer(
  answer: Answer,
  options: { codes?: readonly ErrorCode[]; isHead?: boolean } = {},
): string | null {
  const { status, body, headers } = answer
  const { codes = codesWith(status), isHead = false } = options
  const requestId = headerOf(answer, 'x-request-id') ?? ''
  if (!REQUEST_ID.test(requestId)) return 'has no request id'
  if (headerOf(answer, 'x-content-type-options') !== 'nosniff') return 'may be sniffed'
  if (headerOf(answer, 'cache-control') === undefined) return 'does not say whether it may be kept'
  for (const [name, values] of headers)
    if (values.length > 1 && name !== 'set-cookie') return `has two ${name}`
  if (status < 400) return null
  if (headerOf(answer, 'cache-control') !== 'no-store') return 'is an error that may be kept'
  if (status === 401 && headerOf(answer, 'www-authenticate') !== 'Bearer')
    return 'does not say how to authenticate'
  if (status === 405 && !/^[A-Z]+(, [A-Z]+)*$/.test(headerOf(answer, 'allow') ?? ''))
    return 'does not say what is allowed'
  if ((status === 429 || status === 503) && !/^[1-9]\d*$/.test(headerOf(answer, 'retry-after') ?? ''))
    return 'does not say when to come back'
  if (headerOf(answer, 'content-type') !== JSON_TYPE) return 'is an error of another type'
  return isHead ? null : problemOfError(body, codes, requestId)
}

function problemOfError(body: Buffer, codes: readonly ErrorCode[], requestId: string): string | null {
  const text = body.toString()
  const parsed = parseJson(text)
  const checked = errorBodySchema(codes).safeParse(parsed)
  if (!checked.success) return 'is an error that is not as the contract has it'
  const { error } = checked.data
  if (error.request_id !== requestId) return 'has two request ids'
  if (ERRORS[error.code].type !== error.type) return 'has the family of another code'
  if (Object.keys(Object(Object(parsed).error)).some((key) => !ERROR_KEYS.has(key)))
    return 'has a field that no error has'
  if (text.includes(CANARY)) return 'quotes a value'
  return null
}

function problemOfSuccess({ route, request }: SentCase, answer: Answer): string | null {
  const { status, body } = answer
  if (status >= 400 || request.method === 'HEAD') return null
  const schema: unknown = route.responses[status]
  if (!(schema instanceof z.ZodType)) return body.length === 0 ? null : 'has a body'
  if (route.metadata.successBody !== 'json')
    return headerOf(answer, 'content-type')?.startsWith('audio/') === true ? null : 'is of another type'
  if (headerOf(answer, 'content-encoding') !== undefined) return null
  if (headerOf(answer, 'content-type') !== JSON_TYPE) return 'is of another type'
  return schema.safeParse(parseJson(body.toString())).success
    ? null
    : 'is a success that is not as the contract has it'
}

/** The service cannot take it now, and says for how long. */
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
