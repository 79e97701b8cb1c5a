import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AbortedError, ApiError, ConnectionError, TimeoutError, type VaaniError } from '../errors.ts'
import { MAX_RETRY_AFTER_MS, readRetryAfterMs, retryDelayMs } from './retry.ts'
import type { Route } from './route.ts'

const context = { operation: 'calls.place', attempts: 1 } as const
const ROUTE: Route = { operation: 'calls.place', method: 'POST', path: '/agent/calls' }
const api = (status: number, retryAfterMs?: number): ApiError =>
  new ApiError({ ...context, status, code: 'internal_error', retryable: true, retryAfterMs })
const connection = new ConnectionError(context)
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const delayOf = ({
  error,
  route = ROUTE,
  ...options
}: Partial<Parameters<typeof retryDelayMs>[2]> & { error: VaaniError; route?: Route }) =>
  retryDelayMs(error, route, {
    failures: 1,
    maxRetries: 2,
    remainingMs: 60_000,
    random: () => 0.5,
    ...options,
  })

describe('the delay before a retry', () => {
  test('is full jitter below a bound that doubles from 0.5 to 8 s', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), random, (failures, drawn) => {
        const delayMs = delayOf({ error: connection, failures, maxRetries: 2000, random: () => drawn })
        expect(delayMs).toBeCloseTo(drawn * Math.min(8000, 500 * 2 ** Math.min(failures - 1, 10)), 6)
      }),
    ))

  test('is Retry-After plus up to 0.25 s; there is no retry if Retry-After exceeds a minute', () =>
    fc.assert(
      fc.property(fc.nat(2 * MAX_RETRY_AFTER_MS), random, (retryAfterMs, drawn) => {
        const delayMs = delayOf({
          error: api(429, retryAfterMs),
          random: () => drawn,
          remainingMs: 600_000,
        })
        if (retryAfterMs > MAX_RETRY_AFTER_MS) expect(delayMs).toBeUndefined()
        else expect(delayMs).toBeCloseTo(retryAfterMs + drawn * 250, 6)
      }),
    ))

  test('always ends within the remaining time', () =>
    fc.assert(
      fc.property(
        fc.option(fc.nat(70_000), { nil: undefined }),
        fc.integer({ min: -1000, max: 70_000 }),
        random,
        (retryAfterMs, remainingMs, drawn) => {
          const delayMs = delayOf({ error: api(503, retryAfterMs), remainingMs, random: () => drawn })
          if (delayMs !== undefined) expect(delayMs).toBeLessThan(remainingMs)
        },
      ),
    ))

  test('is undefined after the last retry', () => {
    expect(delayOf({ error: connection, failures: 2 })).toBe(500)
    expect(delayOf({ error: connection, failures: 3 })).toBeUndefined()
    expect(delayOf({ error: connection, maxRetries: 0 })).toBeUndefined()
  })
})

test.each([
  ['a reset of a request with a key', connection, 'POST', true],
  ['the limit of one attempt', new TimeoutError({ ...context, timeoutMs: 1, limit: 'try' }), 'POST', true],
  [
    'the limit of the whole request',
    new TimeoutError({ ...context, timeoutMs: 1, limit: 'total' }),
    'POST',
    false,
  ],
  ['an abort', new AbortedError(context), 'POST', false],
  ['503 of a request without a key: the service did nothing', api(503), 'PATCH', true],
  ['429 of a request without a key', api(429), 'PATCH', true],
  ['500 of a request without a key: it may have taken effect', api(500), 'PATCH', false],
  ['502 of a request without a key', api(502), 'PATCH', false],
  ['a reset of a request without a key', connection, 'PATCH', false],
] as const)('%s: is retried or not', (_, error, method, isRetried) => {
  expect(delayOf({ error, route: { ...ROUTE, method } }) !== undefined).toBe(isRetried)
})

test('streamed speech reconnects once after a 500, and more often after other temporary failures', () => {
  const speech = { route: { ...ROUTE, answer: 'pcm-stream' } as const, maxRetries: 5 }
  expect(delayOf({ ...speech, error: api(500), failures: 1 })).toBeDefined()
  expect(delayOf({ ...speech, error: api(500), failures: 2 })).toBeUndefined()
  expect(delayOf({ ...speech, error: api(503), failures: 2 })).toBeDefined()
})

describe('Retry-After', () => {
  const NOW_MS = Date.UTC(2026, 0, 2, 10)
  const read = (retryAfter: string, date?: string): number | undefined =>
    readRetryAfterMs(new Headers({ 'retry-after': retryAfter, ...(date && { date }) }), NOW_MS)
  const dates = fc.date({
    min: new Date(Date.UTC(2000, 0)),
    max: new Date(Date.UTC(2100, 0)),
    noInvalidDate: true,
  })

  test('in seconds', () =>
    fc.assert(
      fc.property(fc.nat(), (seconds) => {
        expect(read(String(seconds))).toBe(seconds * 1000)
      }),
    ))

  test('as a date, by the clock of the server or else by the local one; never negative', () =>
    fc.assert(
      fc.property(dates, fc.option(dates, { nil: undefined }), (at, server) => {
        const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)
        const from = server ? seconds(server) : NOW_MS / 1000
        expect(read(at.toUTCString(), server?.toUTCString())).toBe(Math.max(0, seconds(at) - from) * 1000)
      }),
    ))

  test.each(['-5', '1,5', 'soon', 'in 5', '5s', '1e3', '', '5 minutes', 'Mon', '0x10'])(
    'as %j is ignored, so the backoff applies',
    (text) => expect(read(text)).toBeUndefined(),
  )

  test('of any text is ignored, or at least 0', () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        const headers = new Headers()
        try {
          headers.set('retry-after', text)
        } catch {
          // No header can contain it.
          return
        }
        expect(readRetryAfterMs(headers, NOW_MS) ?? 0).toBeGreaterThanOrEqual(0)
      }),
    ))

  test('may be absent', () => {
    expect(readRetryAfterMs(new Headers(), NOW_MS)).toBeUndefined()
  })
})
