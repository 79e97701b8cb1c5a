import type { Verification } from '@vaani/contracts'
import { systemClock } from '@vaani/service-kit/clock'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertPending, sendHead } from './support/account-limits.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const call = { to: '+9779812345678', agent_id: 'reminder', scheduled_at: '2027-01-01T00:00:00Z' }
const overLimit = { status: 429, body: { error: { code: 'rate_limit_exceeded' } } }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

describe('a rate', () => {
  test('of ten per second admits ten in any second, not ten plus a refill', async () => {
    const clock = { ms: systemClock.nowMs(), nowMs: () => clock.ms }
    await using server = await startTestServer({ clock })
    const { key } = await server.createAccount()
    const place = () => server.json('/agent/calls', { body: call, key })
    for (let index = 0; index < 10; index++) expect((await place()).status).toBe(201)
    for (let index = 0; index < 9; index++) {
      clock.ms += 100
      expect(await place()).toMatchObject(overLimit)
    }
    clock.ms += 99
    const refused = await place()
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('ratelimit')).toBe('"place_call";r=0;t=1')
    expect(refused.body).toMatchObject({
      error: { message: 'place_call: at most 10 requests in any second' },
    })
    clock.ms += 1
    const placed = await place()
    expect(placed.status).toBe(201)
    expect(placed.headers.get('ratelimit')).toBe('"place_call";r=9;t=1')
  })

  test('of fifty per minute admits fifty across the boundary of a minute', async () => {
    const clock = { ms: systemClock.nowMs(), nowMs: () => clock.ms }
    await using server = await startTestServer({ clock })
    const { key } = await server.createAccount({ tier: 'starter' })
    // An unknown voice costs no synthesis, but counts.
    const body = { model: 'stream-tts', input: 'Hi', voice: 'none' }
    const ask = async () => (await server.json('/v1/audio/stream', { key, body })).status
    const askTimes = async (count: number) => {
      const statuses = []
      for (let index = 0; index < count; index++) statuses.push(await ask())
      return statuses.filter((status) => status === 422).length
    }
    expect(await askTimes(1)).toBe(1)
    clock.ms += 59_000
    expect(await askTimes(60)).toBe(49)
    clock.ms += 1000
    expect(await askTimes(60)).toBe(1)
  })

  test('of an account counts test and live requests separately', async () => {
    const rateOverrides = { kyc_submissions: { limit: 2, period_seconds: 3600 } }
    const { key, accountId } = await server.createAccount({ rateOverrides })
    const liveKey = await server.createKey(accountId, true)
    const submit = (ownKey: string) => server.json('/identity/kyc/v2', { key: ownKey, body: {} })
    for (const ownKey of [key, key, liveKey, liveKey])
      expect(await submit(ownKey)).toMatchObject({
        status: 400,
        body: { error: { code: 'missing_artifact' } },
      })
    for (const ownKey of [key, liveKey]) expect(await submit(ownKey)).toMatchObject(overLimit)
  })

  test.each([
    ['/identity/kyc/v1', 'multipart/form-data; boundary=cut'],
    ['/identity/kyc/v2', 'application/json'],
  ])('of submissions is checked before the body is read: %s', async (route, contentType) => {
    const rateOverrides = { kyc_submissions: { limit: 1, period_seconds: 3600 } }
    const { key } = await server.createAccount({ rateOverrides })
    expect((await server.json('/identity/kyc/v2', { key, body: {} })).status).toBe(400)
    const { socket, answer } = await sendHead(server, { route, key, contentType })
    expect(await answer).toMatch(/^HTTP\/1\.1 429 /)
    socket.destroy()
  })

  test('is that of the tier', async () => {
    const policyOf = async (tier: 'starter' | 'pro' | 'enterprise') => {
      const { key } = await server.createAccount({ tier })
      const { headers } = await server.json('/identity/kyc/v2', { key, body: {} })
      return headers.get('ratelimit-policy')
    }
    expect(await policyOf('starter')).toBe('"kyc_submissions";q=60;w=60')
    expect(await policyOf('pro')).toBe('"kyc_submissions";q=600;w=60')
    expect(await policyOf('enterprise')).toBe('"kyc_submissions";q=6000;w=60')
  })
})

describe('reads of a verification', () => {
  test('return the number of remaining reads, including zero; an unknown id is not counted', async () => {
    const { key, accountId } = await server.createAccount({ tier: 'starter' })
    const id = await insertPending(server, { accountId })
    const read = (verificationId = id) =>
      server.json<Verification>(`/identity/verifications/${verificationId}`, { key })
    const unknown = await read('ver_01kamx3v6pf9hr2x8c0q5d7etn')
    expect([unknown.status, unknown.headers.get('ratelimit')]).toEqual([404, null])
    const first = await read()
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit-policy')).toBe('"status_polls";q=120;w=2592000')
    expect(first.headers.get('ratelimit')).toBe('"status_polls";r=119;t=2592000')
    expect(first.headers.get('x-polls-remaining')).toBe('119')
    for (let index = 1; index < 120; index++) expect((await read()).status).toBe(200)
    const last = await read()
    expect(last).toMatchObject({
      status: 429,
      body: { error: { message: 'status_polls: at most 120 requests in any 30 days' } },
    })
    expect(last.headers.get('retry-after')).toBe('5')
    expect(last.headers.get('x-polls-remaining')).toBe('0')
    expect(last.headers.get('ratelimit')).toMatch(/^"status_polls";r=0;t=\d+$/)

    // Once checked, it can be read again, at a rate of the account.
    const { database } = server.context
    await sql`update verifications set status = 'review' where verification_id = ${id}`.execute(database)
    const checked = await read()
    expect(checked).toMatchObject({ status: 200, body: { status: 'review' } })
    expect(checked.headers.get('ratelimit-policy')).toBe('"verification_reads";q=300;w=60')
    expect(checked.headers.get('x-polls-remaining')).toBeNull()
    for (let index = 1; index < 300; index++) expect((await read()).status).toBe(200)
    const refused = await read()
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } })
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  })
})
