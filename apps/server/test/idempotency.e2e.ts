import type { Id } from '@vaani/contracts'
import { createPool } from '@vaani/service-kit/database/pools'
import {
  createIdempotencyStore,
  type IdempotencyClaim,
  type IdempotencyStore,
} from '@vaani/service-kit/http/idempotency/idempotency'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let server: TestServer
let pool: ReturnType<typeof createPool>
let store: IdempotencyStore
let accountId: Id<'account'>
let nowMs = Date.parse('2026-11-20T12:00:00Z')

beforeAll(async () => {
  server = await startTestServer()
  pool = createPool({ connectionString: server.databaseUrl }, createLogger('silent'))
  store = createIdempotencyStore({ pool, clock: { nowMs: () => nowMs } })
  accountId = (await server.createAccount()).accountId
})
afterAll(async () => {
  await pool.end()
  await server[Symbol.asyncDispose]()
})

const request = (key: string) => ({
  tenant: { accountId, livemode: false },
  key,
  operation: 'calls.place',
  url: '/agent/calls',
  content: Buffer.from('content'),
})
async function claim(key: string): Promise<IdempotencyClaim> {
  const begun = await store.begin(request(key))
  if (!('tenant' in begun)) throw new Error('The key has a response already')
  return begun
}
const answer = { status: 201, body: '{}' }
const conflict = { code: 'idempotency_conflict' }

test('the key of a dead process’s request can be claimed, but only once the request must have ended', async () => {
  await claim('died')
  await expect(store.begin(request('died'))).rejects.toMatchObject({ ...conflict, retryAfterSeconds: 1 })
  nowMs += MINUTE_MS + 1
  expect(await claim('died')).toMatchObject({ key: 'died' })
})

test('a request that lost its key cannot store a response, so its transaction is rolled back', async () => {
  const slow = await claim('slow')
  nowMs += MINUTE_MS + 1
  const second = await claim('slow')
  await expect(store.keep(slow, answer)).rejects.toMatchObject(conflict)
  await store.release(slow)
  await store.keep(second, answer)
  expect(await store.begin(request('slow'))).toEqual(answer)
})

test('a key that was released meanwhile cannot store a response', async () => {
  const claimed = await claim('freed')
  await store.release(claimed)
  await expect(store.keep(claimed, answer)).rejects.toMatchObject(conflict)
})

test('a response is kept for a day', async () => {
  await store.keep(await claim('day'), answer)
  nowMs += 24 * HOUR_MS - 1
  expect(await store.begin(request('day'))).toEqual(answer)
  nowMs += 2
  expect(await claim('day')).toMatchObject({ key: 'day' })
})

test('older keys are swept', async () => {
  await store.keep(await claim('old'), answer)
  nowMs += 24 * HOUR_MS + 1
  await store.sweep()
  const { rowCount } = await pool.query(`select from idempotency_keys where key = 'old'`)
  expect(rowCount).toBe(0)
})

test('a sweep removes all older keys, however many there are', async () => {
  await store.keep(await claim('one'), answer)
  await pool.query(`
    insert into idempotency_keys (account_id, livemode, key, fingerprint, locked_until, created_at)
    select account_id, livemode, 'many ' || n, fingerprint, locked_until, created_at
    from idempotency_keys, generate_series(1, 10000) n where key = 'one'`)
  nowMs += 24 * HOUR_MS + 1
  await store.sweep()
  expect((await pool.query('select from idempotency_keys')).rowCount).toBe(0)
})
