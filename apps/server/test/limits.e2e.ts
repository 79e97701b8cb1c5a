import { randomUUID } from 'node:crypto'
import type { NamedRate } from '@vaani/service-kit/limits/rate-limiter'
import {
  answerByHand,
  gapsOf,
  mostInAnyWindow,
  stateMet,
} from '@vaani/service-kit/limits/testing/count-by-hand'
import fc from 'fast-check'
import { createClient } from 'redis'
import { describe, expect, inject, test } from 'vitest'
import { shareLimiters } from './support/shared-limiters.ts'
import { startTestServer } from './support/test-server.ts'

const redisUrl = inject('redisUrl') ?? ''
/** So long that a busy machine is not mistaken for an unavailable Redis. */
const PATIENT = { timeoutMs: 60_000 }
const START_MS = 1_795_000_000_123

/** Returns a unique rate, with a period so long that Redis expires no key by its own clock while a test moves the other clock. */
const rateOf = (limit: number, periodSeconds = 3600): NamedRate => ({
  name: `test_${randomUUID()}`,
  limit,
  periodSeconds,
})
const countAllowed = (results: readonly { allowed: boolean }[]) =>
  results.filter(({ allowed }) => allowed).length

describe('Redis', { tags: 'redis' }, () => {
  test('agrees with a straightforward count, however many processes share it', async () => {
    await using shared = shareLimiters(redisUrl, { ...PATIENT, ownClock: true })
    const processes = [await shared.open(), await shared.open(), await shared.open()]
    const step = fc.record({ process: fc.nat({ max: 2 }), gap: fc.nat({ max: 1000 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 3600, max: 7200 }),
        gapsOf({ ofPeriod: 1 / 3 }),
        fc.infiniteStream(step),
        async (limit, periodSeconds, gaps, steps) => {
          const rate = rateOf(limit, periodSeconds)
          const admitted: number[] = []
          let nowMs = START_MS
          for (const gap of gaps) {
            nowMs += Math.round(gap * periodSeconds * 1000)
            await shared.setClock(nowMs)
            const index = steps.next().value?.process ?? 0
            const expected = answerByHand({ rate, admitted, nowMs })
            expect(await processes[index]?.limiter.check(rate, 'a')).toEqual(expected)
            if (expected.allowed) admitted.push(nowMs)
          }
          expect(mostInAnyWindow(admitted, periodSeconds * 1000)).toBeLessThanOrEqual(limit)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('admits exactly as many concurrent requests as there is room for, from several processes', async () => {
    await using shared = shareLimiters(redisUrl, { ...PATIENT, ownClock: true })
    const processes = [await shared.open(), await shared.open(), await shared.open()]
    const burst = fc.record({
      gapSeconds: fc.integer({ min: 0, max: 2000 }),
      requests: fc.array(fc.nat({ max: 2 }), { maxLength: 30 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.array(burst, { maxLength: 8 }),
        async (limit, bursts) => {
          const rate = rateOf(limit)
          let admitted: number[] = []
          let nowMs = START_MS
          for (const { gapSeconds, requests } of bursts) {
            nowMs += gapSeconds * 1000
            await shared.setClock(nowMs)
            const room = limit - admitted.filter((timeMs) => nowMs - timeMs < 3_600_000).length
            const answers = await Promise.all(
              requests.map((index) => processes[index]?.limiter.check(rate, 'a') ?? expect.fail()),
            )
            expect(countAllowed(answers)).toBe(Math.min(room, requests.length))
            admitted = [...admitted, ...answers.filter(({ allowed }) => allowed).map(() => nowMs)]
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  test('a Redis clock that goes backwards admits no extra requests, and blocks for at most one period', async () => {
    await using shared = shareLimiters(redisUrl, { ...PATIENT, ownClock: true })
    const { limiter } = await shared.open()
    const step = fc.record({ gap: fc.integer({ min: 0, max: 1500 }), back: fc.nat({ max: 100_000 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const rate = rateOf(3)
        const admitted: number[] = []
        let trueMs = 0
        let clockMs = START_MS
        for (const { gap, back } of steps) {
          trueMs += gap * 1000
          clockMs += (gap - (back > 80_000 ? back : 0)) * 1000
          await shared.setClock(clockMs)
          if ((await limiter.check(rate, 'a')).allowed) admitted.push(trueMs)
        }
        expect(mostInAnyWindow(admitted, 3_600_000)).toBeLessThanOrEqual(3)
        await shared.setClock(clockMs + 3_600_000)
        expect((await limiter.check(rate, 'a')).allowed).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  test('a peek says what the next request meets, from whichever process, and writes nothing', async () => {
    await using shared = shareLimiters(redisUrl, { ...PATIENT, ownClock: true })
    const processes = [await shared.open(), await shared.open()]
    const client = await createClient({ url: redisUrl }).connect()
    const step = fc.record({
      gapSeconds: fc.integer({ min: 0, max: 2000 }),
      back: fc.nat({ max: 100_000 }),
      limit: fc.integer({ min: 1, max: 6 }),
      process: fc.nat({ max: 1 }),
      act: fc.constantFrom('take', 'take', 'take', 'give back', 'look'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { name } = rateOf(1)
        const key = `limit:${name}:3600:a`
        let nowMs = START_MS
        for (const { gapSeconds, back, limit, process, act } of steps) {
          nowMs += (gapSeconds - (back > 90_000 ? back : 0)) * 1000
          await shared.setClock(nowMs)
          const rate = { name, limit, periodSeconds: 3600 }
          const { limiter } = processes[process] ?? expect.fail()
          const before = await client.lRange(key, 0, -1)
          const { isShared, ...state } = await limiter.peek(rate, 'a')
          expect(isShared).toBe(true)
          expect(await client.lRange(key, 0, -1)).toEqual(before)
          if (act === 'give back') await limiter.giveBack(rate, 'a')
          if (act === 'take') expect(state).toEqual(stateMet(rate, await limiter.check(rate, 'a')))
        }
      }),
      { numRuns: 40 },
    )
    await client.close()
  })

  test('what one process gives back, another may take, and no more', async () => {
    await using shared = shareLimiters(redisUrl, PATIENT)
    const [one, other] = [await shared.open(), await shared.open()]
    const rate = rateOf(2)
    for (const { limiter } of [one, other]) expect((await limiter.check(rate, 'a')).allowed).toBe(true)
    await one.limiter.giveBack(rate, 'a')
    expect(await other.limiter.check(rate, 'a')).toMatchObject({ allowed: true, remaining: 0 })
    for (const { limiter } of [one, other]) expect((await limiter.check(rate, 'a')).allowed).toBe(false)
  })

  test('any part of a long log can expire at once', async () => {
    await using shared = shareLimiters(redisUrl, { ...PATIENT, ownClock: true })
    const { limiter } = await shared.open()
    const take = async (rate: NamedRate, count: number, atMs: number) => {
      await shared.setClock(atMs)
      return Promise.all(Array.from({ length: count }, () => limiter.check(rate, 'a')))
    }
    for (const over of [1, 2, 3, 4, 7, 8, 9, 500, 999, 1000]) {
      const rate = rateOf(1000)
      await take(rate, over, START_MS)
      await take(rate, 1000 - over, START_MS + 1000)
      const after = await take(rate, over + 1, START_MS + 3_600_000)
      expect(countAllowed(after)).toBe(over)
      expect(after.at(-1)).toEqual({ allowed: false, remaining: 0, resetSeconds: over === 1000 ? 3600 : 1 })
    }
  })

  test('a limit lowered within its window blocks until there is room under the new one', async () => {
    await using shared = shareLimiters(redisUrl, { ...PATIENT, ownClock: true })
    const { limiter } = await shared.open()
    const rate = rateOf(3)
    for (const second of [0, 1, 2]) {
      await shared.setClock(START_MS + second * 1000)
      await limiter.check(rate, 'a')
    }
    const lowered = await limiter.check({ ...rate, limit: 1 }, 'a')
    expect(lowered).toEqual({ allowed: false, remaining: 0, resetSeconds: 3600 })
  })

  test('an expired window leaves no key behind', async () => {
    await using shared = shareLimiters(redisUrl, PATIENT)
    const { limiter } = await shared.open()
    const rate = rateOf(3, 60)
    await limiter.check(rate, 'a')
    const client = await createClient({ url: redisUrl }).connect()
    const key = `limit:${rate.name}:60:a`
    const ttlMs = await client.pTTL(key)
    await client.close()
    expect(ttlMs).toBeGreaterThan(50_000)
    expect(ttlMs).toBeLessThanOrEqual(60_000)
  })

  test('an internal error is not mistaken for Redis being unavailable', async () => {
    await using shared = shareLimiters(redisUrl, PATIENT)
    const { limiter, states } = await shared.open()
    const rate = rateOf(1)
    const client = await createClient({ url: redisUrl }).connect()
    await client.set(`limit:${rate.name}:3600:spoilt`, 'not a list')
    await client.close()
    await expect(limiter.check(rate, 'spoilt')).rejects.toThrow('WRONGTYPE')
    expect(states).toEqual([])
  })

  test('enforces the rate of an account across two servers', async () => {
    const redis = { redisUrl, redisTimeoutMs: PATIENT.timeoutMs }
    await using first = await startTestServer({ config: redis })
    const { databaseUrl, dataDirectory } = first.context.settings
    const shared = { ...redis, databaseUrl, dataDirectory }
    await using second = await startTestServer({ config: shared, key: first.key })
    // A period longer than the test.
    const rateOverrides = { place_call: { limit: 10, period_seconds: 3600 } }
    const { key } = await first.createAccount({ rateOverrides })
    const body = { to: '+9779812345678', agent_id: 'reminder', scheduled_at: '2027-01-01T00:00:00Z' }
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        (index % 2 === 0 ? first : second).json('/agent/calls', { body, key }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(14)
  })
})
