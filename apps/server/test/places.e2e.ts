import { randomUUID } from 'node:crypto'
import type { NamedConcurrency } from '@vaani/service-kit/limits/concurrency-limiter'
import { createClient } from 'redis'
import { describe, expect, inject, test } from 'vitest'
import { freePort, startRedis } from './support/redis-process.ts'
import { type LimiterProcess, shareLimiters } from './support/shared-limiters.ts'
import { until } from '@vaani/test-services/until'

const redisUrl = inject('redisUrl') ?? ''
/** So long that a busy machine is not mistaken for an unavailable Redis. */
const PATIENT = { timeoutMs: 60_000 }
const START_MS = 1_795_000_000_123
/** So long that nothing renews the lease during a test. */
const LONG_MS = 3_600_000

const placesOf = (limit: number): NamedConcurrency => ({ name: `test_${randomUUID()}`, limit })
const enter = ({ places }: LimiterProcess, concurrency: NamedConcurrency, subject = 'a') =>
  places.enter(concurrency, subject)

describe('slots in Redis', { tags: 'redis' }, () => {
  test('are counted across all processes, however many requests come at once', async () => {
    await using shared = shareLimiters(redisUrl, PATIENT)
    const processes = [await shared.open(), await shared.open(), await shared.open()]
    const three = placesOf(3)
    const entries = await Promise.all(
      Array.from({ length: 12 }, (_, index) => enter(processes[index % 3] ?? expect.fail(), three)),
    )
    const given = entries.flatMap(({ place }) => place ?? [])
    expect(given).toHaveLength(3)
    expect(entries.map(({ remaining }) => remaining).toSorted()).toEqual([...Array(10).fill(0), 1, 2])
    const [one = expect.fail()] = processes
    expect((await enter(one, three, 'another')).remaining).toBe(2)
    for (const { places } of processes)
      expect(await places.countTaken(three.name, 'a')).toEqual({ used: 3, isShared: true })
    for (const place of given) place.release()
    await until(
      () => one.places.countTaken(three.name, 'a'),
      ({ used }) => used === 0,
    )
    expect((await enter(one, three)).remaining).toBe(2)
  })

  test('released twice become free once', async () => {
    await using shared = shareLimiters(redisUrl, PATIENT)
    const one = await shared.open()
    const two = placesOf(2)
    const first = await enter(one, two)
    await enter(one, two)
    first.place?.release()
    first.place?.release()
    await until(
      () => enter(one, two),
      ({ place }) => place !== null,
    )
    expect((await enter(one, two)).place).toBeNull()
  })

  test('of a dead process become free when its leases expire', async () => {
    await using shared = shareLimiters(redisUrl, { ...PATIENT, ownClock: true })
    const [dead, alive] = [await shared.open({ leaseMs: LONG_MS }), await shared.open({ leaseMs: LONG_MS })]
    const one = placesOf(1)
    await shared.setClock(START_MS)
    expect((await enter(dead, one)).place).not.toBeNull()
    dead.places.close()
    await shared.setClock(START_MS + LONG_MS - 1)
    expect((await enter(alive, one)).place).toBeNull()
    expect(await alive.places.countTaken(one.name, 'a')).toMatchObject({ used: 1 })
    await shared.setClock(START_MS + LONG_MS)
    expect(await alive.places.countTaken(one.name, 'a')).toMatchObject({ used: 0 })
    expect((await enter(alive, one)).place).not.toBeNull()
  })

  test('become free no later if the Redis clock goes backwards', async () => {
    await using shared = shareLimiters(redisUrl, { ...PATIENT, ownClock: true })
    const [dead, alive] = [await shared.open({ leaseMs: LONG_MS }), await shared.open({ leaseMs: LONG_MS })]
    const one = placesOf(1)
    await shared.setClock(START_MS)
    await enter(dead, one)
    await shared.setClock(START_MS - 10 * LONG_MS)
    expect((await enter(alive, one)).place).toBeNull()
    await shared.setClock(START_MS - 9 * LONG_MS)
    expect((await enter(alive, one)).place).not.toBeNull()
  })

  test('are held for as long as their process is alive', async () => {
    await using shared = shareLimiters(redisUrl, { ...PATIENT, ownClock: true })
    const leaseMs = 60
    const [holder, other] = [await shared.open({ leaseMs }), await shared.open({ leaseMs: LONG_MS })]
    const one = placesOf(1)
    await shared.setClock(START_MS)
    await enter(holder, one)
    const client = await createClient({ url: redisUrl }).connect()
    const key = `places:${one.name}:a`
    for (const steps of [1, 2, 3, 4]) {
      const nowMs = START_MS + steps * (leaseMs - 1)
      await shared.setClock(nowMs)
      await until(
        async () => (await client.zRangeWithScores(key, 0, -1))[0]?.score,
        (micros) => micros === (nowMs + leaseMs) * 1000,
      )
    }
    await client.close()
    expect((await enter(other, one)).place).toBeNull()
  })
})

describe('slots while Redis is unavailable', { tags: 'redis-server' }, () => {
  test('are counted by each process, and shared again when an empty Redis comes up', async () => {
    const port = await freePort()
    const url = `redis://127.0.0.1:${port}`
    let redis = await startRedis(port)
    await using held = new AsyncDisposableStack()
    held.defer(() => redis.kill())
    await using shared = shareLimiters(url, PATIENT)
    const [one, other] = [await shared.open(), await shared.open()]
    const two = placesOf(2)
    const first = await enter(one, two)
    await redis.kill()
    expect((await enter(one, two)).place).not.toBeNull()
    expect((await enter(one, two)).place).toBeNull()
    expect(await one.places.countTaken(two.name, 'a')).toEqual({ used: 2, isShared: false })
    expect(await other.places.countTaken(two.name, 'a')).toEqual({ used: 0, isShared: false })
    redis = await startRedis(port)
    await until(
      async () => [one.states.at(-1), other.states.at(-1)],
      (states) => states.every((state) => state === 'redis'),
    )
    const client = await createClient({ url }).connect()
    held.defer(() => client.close())
    await until(
      () => client.zCard(`places:${two.name}:a`),
      (count) => count === 2,
    )
    expect((await enter(other, two)).place).toBeNull()
    first.place?.release()
    await until(
      () => enter(other, two),
      ({ place }) => place !== null,
    )
  })
})
