import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createClient } from 'redis'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { systemClock } from '../src/clock.ts'
import { createRateLimiter } from '../src/limits/create-rate-limiter.ts'
import type { Bucket, RateLimiter, RateLimitResult } from '../src/limits/rate-limiter.ts'
import { freePort, hasRedisServer, startRedis } from './support/redis-process.ts'
import { startTestServer } from './support/test-server.ts'
import { until } from './support/until.ts'

const LIMITER = new URL('../src/limits/create-rate-limiter.ts', import.meta.url).href
const redisUrl = inject('redisUrl')
const hasRedis = await hasRedisServer()
const limiters: RateLimiter[] = []
const processes: { kill(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(limiters.splice(0).map((limiter) => limiter.close()))
  await Promise.all(processes.splice(0).map((redis) => redis.kill()))
})

async function open(url: string) {
  const states: string[] = []
  const limiter = await createRateLimiter({
    redisUrl: url,
    clock: systemClock,
    onStateChange: (state) => states.push(state),
  })
  limiters.push(limiter)
  return { limiter, states }
}
const bucket = (algorithm: Bucket['algorithm'], limit: number, periodSeconds: number): Bucket => ({
  name: `test_${process.pid}_${limiters.length}_${algorithm}`,
  algorithm,
  limit,
  periodSeconds,
})
const countAllowed = async (checks: Promise<{ allowed: boolean }>[]) =>
  (await Promise.all(checks)).filter(({ allowed }) => allowed).length

describe.skipIf(redisUrl === undefined)('Redis (skipped where the test services have none)', () => {
  test.each(['gcra', 'window'] as const)('is one count for all processes: %s', async (algorithm) => {
    const [one, other] = [await open(redisUrl ?? ''), await open(redisUrl ?? '')]
    // Long enough that none comes free while the test runs.
    const shared = bucket(algorithm, 10, 3600)
    const checks = Array.from({ length: 30 }, (_, index) =>
      (index % 2 === 0 ? one : other).limiter.check(shared, 'subject'),
    )
    expect(await countAllowed(checks)).toBe(10)
    expect(await one.limiter.check(shared, 'subject')).toMatchObject({ allowed: false, remaining: 0 })
    expect([...one.states, ...other.states]).toEqual([])
  })

  test('says the same as memory does', async () => {
    const { limiter } = await open(redisUrl ?? '')
    const memory = await createRateLimiter({ clock: systemClock, onStateChange: () => undefined })
    // The two are asked one after the other, and may fall into two seconds.
    const rounded = ({ resetSeconds, retryAfterSeconds, ...decision }: RateLimitResult) => ({
      ...decision,
      resetMinutes: Math.round(resetSeconds / 60),
      retryAfterMinutes: Math.round(retryAfterSeconds / 60),
    })
    // Limits that do not divide their period are where a rounding would show.
    for (const limit of [1, 4, 6, 7, 50])
      for (const algorithm of ['gcra', 'window'] as const) {
        const one = { ...bucket(algorithm, limit, 86_400), name: `same_${process.pid}_${algorithm}_${limit}` }
        for (let index = 0; index < limit + 2; index++)
          expect(rounded(await limiter.check(one, 'same'))).toEqual(rounded(await memory.check(one, 'same')))
      }
  })

  test('does not hide a fault of ours as its being away', async () => {
    const { limiter, states } = await open(redisUrl ?? '')
    const one = bucket('gcra', 1, 60)
    const client = await createClient({ url: redisUrl ?? '' }).connect()
    await client.lPush(`gcra:${one.name}:spoilt`, 'not a time')
    await client.close()
    await expect(limiter.check(one, 'spoilt')).rejects.toThrow('WRONGTYPE')
    expect(states).toEqual([])
  })

  test('holds the rate of a key across two servers', async () => {
    await using first = await startTestServer({ config: { redisUrl } })
    const { databaseUrl, key: firstKey } = first
    await using second = await startTestServer({ config: { redisUrl, databaseUrl }, key: firstKey })
    const { key } = await first.createAccount()
    const body = { to: '+9779812345678', agent_id: 'reminder', scheduled_at: '2027-01-01T00:00:00Z' }
    const startMs = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        (index % 2 === 0 ? first : second).json('/agent/calls', { body, key }),
      ),
    )
    const placed = answers.filter(({ status }) => status === 201).length
    expect(placed).toBeGreaterThanOrEqual(10)
    const elapsedSeconds = (performance.now() - startMs) / 1000
    expect(placed).toBeLessThanOrEqual(10 + 10 * elapsedSeconds)
  })
})

describe.skipIf(!hasRedis)('while Redis is away (skipped where no redis-server is on the PATH)', () => {
  test('each process counts for itself, and goes back to Redis when it can', async () => {
    const port = await freePort()
    const url = `redis://127.0.0.1:${port}`
    const redis = await startRedis(port)
    processes.push(redis)
    const { limiter, states } = await open(url)
    const shared = bucket('window', 2, 3600)
    expect(
      await countAllowed([
        limiter.check(shared, 'a'),
        limiter.check(shared, 'a'),
        limiter.check(shared, 'a'),
      ]),
    ).toBe(2)

    await redis.kill()
    expect(await limiter.check(shared, 'a')).toMatchObject({ allowed: true })
    expect(await limiter.check(shared, 'a')).toMatchObject({ allowed: true })
    expect(await limiter.check(shared, 'a')).toMatchObject({ allowed: false })
    expect(states).toEqual(['memory'])

    processes.push(await startRedis(port))
    await until(
      async () => states.at(-1),
      (state) => state === 'redis',
    )
    expect(await limiter.check(shared, 'a')).toMatchObject({ allowed: true, remaining: 1 })
  })

  test('one that does not answer is as good as away', async () => {
    const port = await freePort()
    const redis = await startRedis(port)
    processes.push(redis)
    const { limiter, states } = await open(`redis://127.0.0.1:${port}`)
    const one = bucket('gcra', 1, 3600)
    redis.signal('SIGSTOP')
    expect((await limiter.check(one, 'a')).allowed).toBe(true)
    expect((await limiter.check(one, 'a')).allowed).toBe(false)
    expect(states).toEqual(['memory'])
    redis.signal('SIGCONT')
    await until(
      async () => {
        await limiter.check(one, 'asks')
        return states.at(-1)
      },
      (state) => state === 'redis',
    )
  })

  test('a start does not wait for one that never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address() as AddressInfo
    const { limiter, states } = await open(`redis://127.0.0.1:${address.port}`)
    expect((await limiter.check(bucket('gcra', 1, 3600), 'a')).allowed).toBe(true)
    expect(states).toEqual(['memory'])
    silent.close()
  })

  test.each(['ready', 'away'])('closing leaves nothing that holds the process: %s', async (there) => {
    const port = await freePort()
    if (there === 'ready') processes.push(await startRedis(port))
    const script = `
      import { createRateLimiter } from ${JSON.stringify(LIMITER)}
      const options = { redisUrl: 'redis://127.0.0.1:${port}', clock: { nowMs: Date.now }, onStateChange() {} }
      const limiter = await createRateLimiter(options)
      await limiter.check({ name: 'a', algorithm: 'window', limit: 1, periodSeconds: 60 }, 'a')
      await limiter.close()`
    const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '-e', script], {
      stdio: 'inherit',
    })
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('a start does not wait for it', async () => {
    const port = await freePort()
    const { limiter, states } = await open(`redis://127.0.0.1:${port}`)
    expect(await limiter.check(bucket('gcra', 1, 3600), 'a')).toMatchObject({ allowed: true })
    expect(states).toEqual(['memory'])
    processes.push(await startRedis(port))
    await until(
      async () => states.at(-1),
      (state) => state === 'redis',
    )
  })
})
