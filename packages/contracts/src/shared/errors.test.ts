import { expect, test } from 'vitest'
import { ERROR_TYPES } from './error-rows.ts'
import { errorBodySchema, type ErrorCode, errorResponses, ERRORS, isErrorCode } from './errors.ts'

/** Every error code that the specification lists, with its status. */
const SPECIFIED = {
  invalid_request: 400,
  text_too_long: 400,
  invalid_signature: 400,
  missing_artifact: 400,
  unauthorized: 401,
  forbidden: 403,
  call_not_found: 404,
  verification_not_found: 404,
  invalid_phone: 422,
  voice_not_found: 422,
  spoof_detected: 422,
  rate_limit_exceeded: 429,
  internal_error: 500,
} as const satisfies Partial<Record<ErrorCode, number>>

const bodyOf = (code: string) => ({
  error: { code, message: 'm', type: 'api_error', param: null, request_id: 'req_1' },
})

test('the specified codes have their specified status', () => {
  for (const [code, status] of Object.entries(SPECIFIED))
    expect(ERRORS).toHaveProperty([code, 'status'], status)
})

test('every row has an error status, a known family and a meaning; only transient errors are retryable', () => {
  for (const { status, type, retryable, description } of Object.values(ERRORS)) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(ERROR_TYPES).toContain(type)
    expect(description).toMatch(/\.$/)
    expect(retryable).toBe(status === 408 || status === 429 || status >= 500)
  }
})

test('a code is one in the table, and never an inherited property', () => {
  expect(isErrorCode('invalid_phone')).toBe(true)
  for (const wrong of ['', 'toString', '__proto__', 'INVALID_PHONE', 404, null, undefined])
    expect(isErrorCode(wrong)).toBe(false)
})

test('a body is accepted only with the codes of its schema', () => {
  const schema = errorBodySchema(['invalid_phone', 'voice_not_found'])
  expect(schema.safeParse(bodyOf('invalid_phone')).success).toBe(true)
  expect(schema.safeParse(bodyOf('spoof_detected')).success).toBe(false)
})

test('responses are grouped by status, with each code once', () => {
  const responses = errorResponses(['invalid_phone', 'voice_not_found', 'invalid_phone', 'unauthorized'])
  expect(Object.keys(responses)).toEqual(['401', '422'])
  for (const code of ['invalid_phone', 'voice_not_found'])
    expect(responses[422].safeParse(bodyOf(code)).success).toBe(true)
  expect(responses[401].safeParse(bodyOf('invalid_phone')).success).toBe(false)
})
