/** GET /v1/limits: every limit that is declared is answered, with what the next request would meet. */
import { randomBytes } from 'node:crypto'
import {
  ACCOUNT_LIMITS,
  CONCURRENCY_LIMITS,
  type LimitUse,
  RATE_LIMITS,
  type RateLimitPolicy,
  TIERS,
} from '@vaani/contracts'
import { systemClock } from '@vaani/service-kit/clock'
import type { VaultKeys } from '@vaani/service-kit/vault/vault'
import { until } from '@vaani/test-services/until'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { insertPending } from './support/account-limits.ts'
import { createCommandLine } from './support/command-line.ts'
import { UNLIMITED } from './support/known-fields.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const redisUrl = inject('redisUrl')
const CALL = { to: '+9779812345678', agent_id: 'reminder', scheduled_at: '2027-01-01T00:00:00Z' }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { roles: new Set(['api']) } })
})
afterAll(() => server?.[Symbol.asyncDispose]())

async function read(key: string, at = server): Promise<LimitUse> {
  const { status, body } = await at.json<LimitUse>('/v1/limits', { key })
  expect(status).toBe(200)
  return body
}

const namesOf = (uses: readonly { name: string }[]) => uses.map(({ name }) => name)
const rateOf = ({ rates }: LimitUse, name: string) => rates.find((one) => one.name === name)
const usedOf = ({ concurrency, counts }: LimitUse) =>
  Object.fromEntries([...concurrency, ...counts].map(({ name, used }) => [name, used]))

describe('the limits of an account', () => {
  test.each(TIERS)('are all that are declared for its tier: %s', async (tier) => {
    const { key } = await server.createAccount({ tier })
    const use = await read(key)
    const rates = Object.entries<RateLimitPolicy>(RATE_LIMITS).flatMap(([name, { per, rates }]) => {
      const rate = rates[tier]
      return rate ? [{ name, per, limit: rate.limit, period_seconds: rate.periodSeconds }] : []
    })
    expect(use).toMatchObject({ livemode: false, tier, rates })
    expect(use.rates).toHaveLength(rates.length)
    expect(use.concurrency.map(({ name, limit }) => [name, limit])).toEqual(
      Object.entries(CONCURRENCY_LIMITS).map(([name, { limits }]) => [name, limits[tier]]),
    )
    expect(use.counts.map(({ name, limit }) => [name, limit])).toEqual(Object.entries(ACCOUNT_LIMITS))
  })

  test('include its own, also of what its tier does not include', async () => {
    const rateOverrides = {
      deployments: { limit: 3, period_seconds: 7 },
      concurrent_streams: { limit: 2 },
    }
    const { key } = await server.createAccount({ tier: 'starter', rateOverrides })
    const use = await read(key)
    expect(rateOf(use, 'deployments')).toEqual({
      name: 'deployments',
      per: 'account',
      limit: 3,
      period_seconds: 7,
      remaining: 3,
      reset_seconds: 0,
    })
    expect(use.concurrency).toContainEqual({
      name: 'concurrent_streams',
      limit: 2,
      used: 0,
    })
    expect(namesOf(use.rates)).not.toContain('voice_cloning')
  })

  test('are shown to any key, and only to keys', async () => {
    const { accountId } = await server.createAccount()
    const key = await server.createKey(accountId, true, ['calls:read'])
    expect(await read(key)).toMatchObject({ livemode: true })
    expect((await server.json('/v1/limits', { key: null })).status).toBe(401)
  })
})

describe('a rate', () => {
  test('is used up as its refusal says, and looking at it counts nothing', async () => {
    const clock = { ms: systemClock.nowMs(), nowMs: () => clock.ms }
    await using timed = await startTestServer({ clock, config: { roles: new Set(['api']) } })
    const rateOverrides = { place_call: { limit: 3, period_seconds: 60 } }
    const { key, accountId } = await timed.createAccount({ rateOverrides })
    const place = () => timed.json('/agent/calls', { body: CALL, key })
    const state = async (ofKey = key) => {
      const { remaining, reset_seconds } = rateOf(await read(ofKey, timed), 'place_call') ?? {}
      return { remaining, reset_seconds }
    }
    for (const remaining of [3, 2, 1]) {
      expect(await state()).toMatchObject({ remaining })
      expect((await place()).status).toBe(201)
      clock.ms += 10_000
    }
    const refused = await place()
    expect(refused.status).toBe(429)
    const retryAfter = Number(refused.headers.get('retry-after'))
    expect(await state()).toEqual({ remaining: 0, reset_seconds: retryAfter })
    expect(retryAfter).toBe(30)
    expect(await state(await timed.createKey(accountId, false))).toEqual({ remaining: 3, reset_seconds: 0 })
    clock.ms += retryAfter * 1000
    expect(await state()).toEqual({ remaining: 1, reset_seconds: 10 })
    expect((await place()).status).toBe(201)
  })

  test('of an account is the same for each of its keys, and apart in each mode', async () => {
    const { key, accountId } = await server.createAccount()
    const [other, live] = [await server.createKey(accountId, false), await server.createKey(accountId, true)]
    expect((await server.json('/identity/kyc/v2', { key, body: {} })).status).toBe(400)
    const left = async (of: string) => rateOf(await read(of), 'kyc_submissions')?.remaining
    expect(await left(key)).toBe(599)
    expect(await left(other)).toBe(599)
    expect(await left(live)).toBe(600)
  })

  test('of reads of each verification is not stated', async () => {
    const { key } = await server.createAccount()
    expect(rateOf(await read(key), 'status_polls')).toMatchObject({
      limit: 120,
      remaining: null,
      reset_seconds: null,
    })
  })
})

describe('what is used', () => {
  test('is counted of each kind, up to its limit, and not of others', async () => {
    const { key, accountId } = await server.createAccount({ tier: 'enterprise', rateOverrides: UNLIMITED })
    const live = await server.createKey(accountId, true)
    const before = usedOf(await read(key))
    const put = (route: string, body: object) => server.json(route, { key, method: 'PUT', body })
    const made = [
      await put('/admin/agents/guide', {
        name: 'Guide',
        language: 'en-US',
        voice: 'nova',
        greeting: 'Good morning.',
      }),
      await put('/v1/lexicons/en', { entries: [{ term: 'KYC', spoken_as: 'know your customer' }] }),
      await server.json('/agent/calls', { key, body: CALL }),
      await server.json('/agent/calls', { key, body: { ...CALL, scheduled_at: undefined } }),
      await server.json('/admin/keys', { key, body: { name: 'reader', scopes: ['calls:read'] } }),
      await server.json('/admin/members', { key, body: { name: 'Asha', role: 'viewer' } }),
      await server.json('/webhooks/endpoints', {
        key,
        body: { url: 'https://example.com/hooks', events: ['call.completed'] },
      }),
      await server.json('/enterprise/deploy', {
        key,
        body: { name: 'speech', base_model: 'synth-v1', target: 'docker', replicas: 1 },
      }),
    ]
    expect(made.map(({ status }) => status)).toEqual(made.map(({ status }) => (status === 200 ? 200 : 201)))
    await insertPending(server, { accountId })
    expect(usedOf(await read(key))).toEqual({
      ...before,
      waiting_calls: 1,
      pending_verifications: 1,
      agents: Number(before['agents']) + 1,
      lexicons: 1,
      scheduled_calls: 1,
      keys: Number(before['keys']) + 1,
      members: 1,
      endpoints: 1,
      deployments: 1,
    })
    expect(usedOf(await read(live))).toMatchObject({
      waiting_calls: 0,
      scheduled_calls: 0,
      pending_verifications: 0,
      endpoints: 0,
      members: 1,
    })
  })

  test('of batches is the larger number of the two kinds, which are counted apart', async () => {
    const { key, accountId } = await server.createAccount({
      rateOverrides: { unfinished_batches: { limit: 2 } },
    })
    const { database } = server.context
    const store = (kind: string, count: number) =>
      sql`insert into stored_objects (account_id, livemode, kind, object_id, upstream, model, view, created_at, asked_at)
        select ${accountId}, false, ${kind}, ${`${kind}-${accountId}-`} || n, 'local', 'chat-large', '{}', now(), now()
        from generate_series(1, ${count}::integer) n`.execute(database)
    await store('file', 4)
    await store('batch', 3)
    expect(usedOf(await read(key))).toMatchObject({ unfinished_batches: 2, stored_files: 4 })
  })

  test('of streams is counted while they last', async () => {
    const { key } = await server.createAccount()
    const input = 'This is a sentence of a long text that is spoken. '.repeat(80)
    const response = await server.fetch('/v1/audio/stream', { key, body: { model: 'stream-tts', input } })
    expect(response.status).toBe(200)
    expect(usedOf(await read(key))).toMatchObject({ concurrent_streams: 1 })
    await response.body?.cancel()
    await until(
      async () => usedOf(await read(key))['concurrent_streams'],
      (used) => used === 0,
    )
  })
})

test('`vaani limits` shows each limit, and says if one process counts alone', async () => {
  const { key } = await server.createAccount()
  const { vaani, json } = createCommandLine(() => ({
    variables: { VAANI_API_KEY: key, VAANI_BASE_URL: server.url },
    homeDirectory: import.meta.dirname,
  }))
  const { stdout, stderr } = await vaani(['limits'])
  expect(stdout).toMatch(/^place_call +0 +10 +1 +key +0$/m)
  expect(stdout).toMatch(/^status_polls +120 +2592000 +verification *$/m)
  expect(stdout).toMatch(/^concurrent_streams +0 +50 +account *$/m)
  expect(stderr).toContain('those of one process')
  expect(await json('limits')).toEqual([await read(key)])
})

test('rates and streams are those of all processes with Redis', { tags: 'redis' }, async () => {
  const encryptionKeys: VaultKeys = [randomBytes(32)]
  const start = (databaseUrl?: string, key?: string) =>
    startTestServer({
      config: { redisUrl, encryptionKeys, roles: new Set(['api']), ...(databaseUrl && { databaseUrl }) },
      ...(key && { key }),
    })
  await using one = await start()
  await using other = await start(one.databaseUrl, one.key)
  const { key } = await one.createAccount()
  expect((await one.json('/identity/kyc/v2', { key, body: {} })).status).toBe(400)
  const use = await read(key, other)
  expect(use.shared).toBe(true)
  expect(rateOf(use, 'kyc_submissions')).toMatchObject({ remaining: 599 })
  expect((await read((await server.createAccount()).key)).shared).toBe(false)
})
