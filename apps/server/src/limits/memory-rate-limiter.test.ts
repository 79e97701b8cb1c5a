import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import type { Bucket } from './rate-limiter.ts'

const gcra: Bucket = { name: 'place_call', algorithm: 'gcra', limit: 10, periodSeconds: 1 }
const window: Bucket = { name: 'speech_stream', algorithm: 'window', limit: 3, periodSeconds: 60 }

function limiterAt(startMs = 1_000_000) {
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
