/** Measures the cost of each layer of a request on its own, in this process. */
import { createHash } from 'node:crypto'
import { contract, type Id } from '@vaani/contracts'
import { systemClock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { createIdempotencyStore } from '@vaani/service-kit/http/idempotency/idempotency'
import { createLimiter, type Limiter } from '@vaani/service-kit/limits/create-limiter'
import type { Pool } from 'pg'
import { createAuthenticator } from '../../src/tenancy/authenticator.ts'

async function microsEach(count: number, run: (index: number) => unknown): Promise<number> {
  for (let index = 0; index < count / 10; index++) await run(-1 - index)
  const startedMs = performance.now()
  for (let index = 0; index < count; index++) await run(index)
  return ((performance.now() - startedMs) * 1000) / count
}

const openLimiter = (redisUrl?: string): Promise<Limiter> =>
  createLimiter({
    ...(redisUrl !== undefined && { redisUrl }),
    clock: systemClock,
    onStateChange: (state) => console.log(`The limiter counts in: ${state}`),
    onForgotten: () => undefined,
  })

/** Measures the layers, including the Redis limiter if `REDIS_URL` is set. */
export async function measureLayers(options: {
  pool: Pool
  database: Db
  key: string
  accountId: Id<'account'>
  body: object
  call: object
}) {
  const { pool, database, key, accountId, body, call } = options
  const authenticator = createAuthenticator({ database, clock: systemClock })
  const limiter = await openLimiter()
  const redisUrl = process.env['REDIS_URL']
  const shared = redisUrl === undefined ? null : await openLimiter(redisUrl)
  const store = createIdempotencyStore({ pool, clock: systemClock })
  const rate = { name: 'place_call', limit: 1e6, periodSeconds: 1 }
  const requestSchema = contract.calls.place.body
  const responseSchema = contract.calls.place.responses[201]
  const run = `${process.pid}-${Date.now()}`
  const layers = {
    'key, cached (SHA-256, scope)': await microsEach(20_000, () => authenticator.authenticate(key)),
    'limit, in memory': await microsEach(20_000, () => limiter.check(rate, accountId)),
    ...(shared && {
      'limit, in Redis': await microsEach(20_000, () => shared.check(rate, accountId)),
    }),
    'request validation': await microsEach(20_000, () => requestSchema.parse(body)),
    'response validation': await microsEach(20_000, () => responseSchema.parse(call)),
    'idempotency, two statements': await microsEach(1000, async (index) => {
      const begun = await store.begin({
        tenant: { accountId, livemode: false },
        key: `${run}${index}`,
        operation: 'calls.place',
        url: '/agent/calls',
        content: createHash('sha256').update(JSON.stringify(body)).digest(),
      })
      if ('tenant' in begun) await store.keep(begun, { status: 201, body: JSON.stringify(call) })
    }),
  }
  shared?.close()
  return layers
}
