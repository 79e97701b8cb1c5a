import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { NamedRate } from '@vaani/service-kit/limits/rate-limiter'
import { afterEach, describe, expect, test } from 'vitest'
import { freePort, startRedis } from './support/redis-process.ts'
import { type LimiterProcess, shareLimiters } from './support/shared-limiters.ts'
import { until } from '@vaani/test-services/until'

const LIMITER = new URL('../../../packages/service-kit/src/limits/create-limiter.ts', import.meta.url).href
const servers: { kill(): Promise<void> }[] = []
afterEach(() => Promise.all(servers.splice(0).map((redis) => redis.kill())))

/** So long that a busy machine is not mistaken for an unavailable Redis; tests that freeze Redis wait this long. */
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

describe('while Redis is unavailable', { tags: 'redis-server' }, () => {
  test('a process continues from the counts it knows: its own and those of others', async () => {
    const port = await freePort()
    const redis = await start(port)
    await using shared = shareLimiters(`redis://127.0.0.1:${port}`, PATIENT)
    const [one, other] = [await shared.open(), await shared.open()]
    const rate = rateOf(10)
    expect(await take(one, rate, 3)).toBe(3)
    expect(await take(other, rate, 4)).toBe(4)
    expect(await take(one, rate, 1)).toBe(1)
    await redis.kill()
    // This process knows of all eight requests, the other one of seven.
    expect(await take(one, rate, 5)).toBe(2)
    expect(await take(other, rate, 5)).toBe(3)
    expect(await one.limiter.check(rate, 'a')).toMatchObject({ allowed: false, remaining: 0 })
    expect([one.states, other.states]).toEqual([['memory'], ['memory']])
  })

  test('a peek shows what this process knows of, and afterwards what the next request reports', async () => {
    const port = await freePort()
    const redis = await start(port)
    await using shared = shareLimiters(`redis://127.0.0.1:${port}`, PATIENT)
    const [one, other] = [await shared.open(), await shared.open()]
    const rate = rateOf(10)
    expect(await take(other, rate, 2)).toBe(2)
    expect(await take(one, rate, 1)).toBe(1)
    redis.signal('SIGSTOP')
    expect(await take(one, rate, 3)).toBe(3)
    expect(await one.limiter.peek(rate, 'a')).toMatchObject({ remaining: 4, isShared: false })
    redis.signal('SIGCONT')
    await untilItIsBack(one)
    expect(await one.limiter.peek(rate, 'a')).toMatchObject({ remaining: 4, isShared: true })
    expect(await one.limiter.check(rate, 'a')).toMatchObject({ remaining: 3 })
    expect(await other.limiter.peek(rate, 'a')).toMatchObject({ remaining: 3, isShared: true })
  })

  test('requests that a process admitted meanwhile are reported when Redis is back', async () => {
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
    // No request is counted twice: neither the earlier ones, nor the one in flight when Redis stopped.
    expect(await one.limiter.check(rate, 'a')).toMatchObject({ allowed: true, remaining: 4 })
    expect(await take(other, rate, 10)).toBe(4)
  })

  test('a Redis that comes back empty gets all counts that the process remembers, once', async () => {
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

  test('a Redis that does not answer counts as unavailable', async () => {
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

  test('a start does not wait for a Redis that never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    await using shared = shareLimiters(`redis://127.0.0.1:${port}`, PATIENT)
    const process = await shared.open()
    expect(await take(process, rateOf(1), 2)).toBe(1)
    expect(process.states).toEqual(['memory'])
    silent.close()
  })

  test('a start does not wait for Redis, which takes over counting as soon as it is up', async () => {
    const port = await freePort()
    await using shared = shareLimiters(`redis://127.0.0.1:${port}`, PATIENT)
    const process = await shared.open()
    expect(await take(process, rateOf(3), 1)).toBe(1)
    expect(process.states).toEqual(['memory'])
    await start(port)
    await untilItIsBack(process)
    expect(await take(process, rateOf(3), 5)).toBe(2)
  })

  test.each(['ready', 'away'])('closing leaves nothing that keeps the process running: %s', async (there) => {
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
    const child = spawn(
      process.execPath,
      ['--conditions=vaani-source', '--input-type=module', '-e', script],
      {
        stdio: 'inherit',
      },
    )
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})
