import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import type { Bucket } from './rate-limiter.ts'

const gcra: Bucket = { name: 'place_call', algorithm: 'gcra', limit: 10, periodSeconds: 1 }
const window: Bucket = { name: 'speech_stream', algorithm: 'window', limit: 3, periodSeconds: 60 }

/** A time of our days, as its size is what rounds. */
function limiterAt(startMs = 1_795_000_000_123) {
  const clock = { ms: startMs, nowMs: () => clock.ms }
  return { clock, limiter: createMemoryRateLimiter(clock) }
}

test('a burst of the limit passes, then one each interval', async () => {
  const { clock, limiter } = limiterAt()
  const take = async () => (await limiter.check(gcra, 'key')).allowed
  for (let index = 0; index < 10; index++) expect(await take()).toBe(true)
  expect(await take()).toBe(false)
  clock.ms += 99
  expect(await take()).toBe(false)
  clock.ms += 1
  expect(await take()).toBe(true)
  expect(await take()).toBe(false)
})

test('never more than the limit and the rate, in whatever interval one looks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 120 }), async (gaps) => {
      const { clock, limiter } = limiterAt()
      const passed: number[] = []
      for (const gap of gaps) {
        clock.ms += gap
        if ((await limiter.check(gcra, 'key')).allowed) passed.push(clock.ms)
      }
      for (const [first, from] of passed.entries())
        for (const [last, to] of passed.entries())
          if (last >= first) expect(last - first + 1).toBeLessThanOrEqual(10 + (to - from) / 100)
    }),
  )
})

test('every limit lets its whole burst through at once, and says so', async () => {
  const limits = fc.integer({ min: 1, max: 500 })
  await fc.assert(
    fc.asyncProperty(limits, fc.integer({ min: 1, max: 86_400 }), async (limit, periodSeconds) => {
      const { limiter } = limiterAt()
      for (const algorithm of ['gcra', 'window'] as const)
        for (let left = limit - 1; left >= -1; left--)
          expect(
            await limiter.check({ name: algorithm, algorithm, limit, periodSeconds }, 'a'),
          ).toMatchObject({ allowed: left >= 0, remaining: Math.max(0, left) })
    }),
    { numRuns: 30 },
  )
})

test('whoever waits as long as was said is let through', async () => {
  const { clock, limiter } = limiterAt()
  const slow: Bucket = { name: 'slow', algorithm: 'gcra', limit: 7, periodSeconds: 60 }
  for (let index = 0; index < 7; index++) await limiter.check(slow, 'a')
  const refused = await limiter.check(slow, 'a')
  expect(refused).toEqual({ allowed: false, remaining: 0, resetSeconds: 61, retryAfterSeconds: 9 })
  clock.ms += refused.retryAfterSeconds * 1000
  expect((await limiter.check(slow, 'a')).allowed).toBe(true)
})

test('a window counts exactly, and begins anew', async () => {
  const { clock, limiter } = limiterAt()
  const results = []
  for (let index = 0; index < 4; index++) results.push(await limiter.check(window, 'account'))
  expect(results.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ])
  expect(results[3]?.retryAfterSeconds).toBe(60)
  clock.ms += 60_000
  expect((await limiter.check(window, 'account')).allowed).toBe(true)
})

test('subjects and limits are counted apart', async () => {
  const { limiter } = limiterAt()
  for (let index = 0; index < 3; index++) await limiter.check(window, 'one')
  expect((await limiter.check(window, 'one')).allowed).toBe(false)
  expect((await limiter.check(window, 'other')).allowed).toBe(true)
  expect((await limiter.check({ ...window, name: 'chat' }, 'one')).allowed).toBe(true)
})

test('a limit that is lowered within its window leaves none, and not fewer', async () => {
  const { limiter } = limiterAt()
  for (let index = 0; index < 3; index++) await limiter.check(window, 'a')
  expect(await limiter.check({ ...window, limit: 1 }, 'a')).toMatchObject({ allowed: false, remaining: 0 })
})

test('memory is bounded: the subject that was seen longest ago is forgotten first', async () => {
  const { limiter } = limiterAt()
  const once: Bucket = { name: 'once', algorithm: 'window', limit: 1, periodSeconds: 60 }
  await limiter.check(once, 'first')
  await limiter.check(once, 'second')
  for (let index = 0; index < 99_999; index++) await limiter.check(once, `other ${index}`)
  expect((await limiter.check(once, 'second')).allowed).toBe(false)
  expect((await limiter.check(once, 'first')).allowed).toBe(true)
})

test('the headers say what is left, and when to come back', async () => {
  const { limiter } = limiterAt()
  const first = await limiter.check(window, 'account')
  expect(rateLimitHeaders(window, first)).toEqual({
    'ratelimit-policy': '"speech_stream";q=3;w=60',
    ratelimit: '"speech_stream";r=2;t=60',
  })
  for (let index = 0; index < 3; index++) await limiter.check(window, 'account')
  const refused = await limiter.check(window, 'account')
  expect(rateLimitHeaders(window, refused)).toMatchObject({ 'retry-after': '60' })
})
