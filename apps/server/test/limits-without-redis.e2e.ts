import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { NamedRate } from '@vaani/service-kit/limits/rate-limiter'
import { afterEach, describe, expect, test } from 'vitest'
import { freePort, hasRedisServer, startRedis } from './support/redis-process.ts'
import { type LimiterProcess, shareLimiters } from './support/shared-limiters.ts'
import { until } from './support/until.ts'

const LIMITER = new URL('../../../packages/service-kit/src/limits/create-limiter.ts', import.meta.url).href
const hasRedis = await hasRedisServer()
const servers: { kill(): Promise<void> }[] = []
afterEach(() => Promise.all(servers.splice(0).map((redis) => redis.kill())))

/** A busy machine is no Redis that is away; one that is stopped makes a test wait this long. */
const PATIENT = { timeoutMs: 3000 }

const rateOf = (limit: number): NamedRate => ({ name: 'test', limit, periodSeconds: 3600 })

async function start(port: number) {
  const redis = await startRedis(port)
  servers.push(redis)
  return redis
}

async function take({ limiter }: LimiterProcess, rate: NamedRate, count: number) {
  const answers = []
  for (let index = 0; index < count; index++) answers.push(await limiter.check(rate, 'a'))
  return answers.filter(({ allowed }) => allowed).length
}

const untilItIsBack = ({ limiter, states }: LimiterProcess) =>
  until(
    async () => {
      await limiter.check(rateOf(1000), 'asks')
      return states.at(-1)
    },
    (state) => state === 'redis',
  )

describe.skipIf(!hasRedis)('while Redis is away (skipped if no redis-server is on the PATH)', () => {
  test('a process goes on from what it knows: its own admissions, and those of others', async () => {
    const port = await freePort()
    const redis = await start(port)
    await using shared = shareLimiters(`redis://127.0.0.1:${port}`, PATIENT)
    const [one, other] = [await shared.open(), await shared.open()]
    const rate = rateOf(10)
    expect(await take(one, rate, 3)).toBe(3)
    expect(await take(other, rate, 4)).toBe(4)
    expect(await take(one, rate, 1)).toBe(1)
    await redis.kill()
    // This one has heard of all eight, the other one of seven.
    expect(await take(one, rate, 5)).toBe(2)
    expect(await take(other, rate, 5)).toBe(3)
    expect(await one.limiter.check(rate, 'a')).toMatchObject({ allowed: false, remaining: 0 })
    expect([one.states, other.states]).toEqual([['memory'], ['memory']])
  })

  test('what a process admitted meanwhile is reported when Redis is back', async () => {
    const port = await freePort()
    const redis = await start(port)
    await using shared = shareLimiters(`redis://127.0.0.1:${port}`, PATIENT)
    const [one, other] = [await shared.open(), await shared.open()]
    const rate = rateOf(10)
    expect(await take(one, rate, 2)).toBe(2)
    redis.signal('SIGSTOP')
    expect(await take(one, rate, 3)).toBe(3)
    redis.signal('SIGCONT')
    await untilItIsBack(one)
    // None is counted twice: neither those of before, nor the one that Redis was asked for as it stopped.
    expect(await one.limiter.check(rate, 'a')).toMatchObject({ allowed: true, remaining: 4 })
    expect(await take(other, rate, 10)).toBe(4)
  })

  test('a Redis that comes back empty is told all that the process remembers, once', async () => {
    const port = await freePort()
    const redis = await start(port)
    await using shared = shareLimiters(`redis://127.0.0.1:${port}`, PATIENT)
    const one = await shared.open()
    const rate = rateOf(10)
    expect(await take(one, rate, 2)).toBe(2)
    await redis.kill()
    expect(await take(one, rate, 3)).toBe(3)
    await start(port)
    await untilItIsBack(one)
    const answers = await Promise.all(Array.from({ length: 9 }, () => one.limiter.check(rate, 'a')))
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(5)
    expect(one.states).toEqual(['memory', 'redis'])
  })

  test('one that does not answer is as good as away', async () => {
    const port = await freePort()
    const redis = await start(port)
    await using shared = shareLimiters(`redis://127.0.0.1:${port}`, PATIENT)
    const process = await shared.open()
    redis.signal('SIGSTOP')
    expect(await take(process, rateOf(1), 2)).toBe(1)
    expect(process.states).toEqual(['memory'])
    redis.signal('SIGCONT')
    await untilItIsBack(process)
  })

  test('a start does not wait for one that never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    await using shared = shareLimiters(`redis://127.0.0.1:${port}`, PATIENT)
    const process = await shared.open()
    expect(await take(process, rateOf(1), 2)).toBe(1)
    expect(process.states).toEqual(['memory'])
    silent.close()
  })

  test('a start does not wait for it, and counts there as soon as it comes', async () => {
    const port = await freePort()
    await using shared = shareLimiters(`redis://127.0.0.1:${port}`, PATIENT)
    const process = await shared.open()
    expect(await take(process, rateOf(3), 1)).toBe(1)
    expect(process.states).toEqual(['memory'])
    await start(port)
    await untilItIsBack(process)
    expect(await take(process, rateOf(3), 5)).toBe(2)
  })

  test.each(['ready', 'away'])('closing leaves nothing that holds the process: %s', async (there) => {
    const port = await freePort()
    if (there === 'ready') await start(port)
    const script = `
      import { createLimiter } from ${JSON.stringify(LIMITER)}
      const limiter = await createLimiter({
        redisUrl: 'redis://127.0.0.1:${port}',
        clock: { nowMs: Date.now },
        onStateChange() {},
        onForgotten() {},
      })
      await limiter.check({ name: 'a', limit: 1, periodSeconds: 60 }, 'a')
      await limiter.enter({ name: 'a', limit: 1 }, 'a')
      limiter.close()`
    const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '-e', script], {
      stdio: 'inherit',
    })
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
