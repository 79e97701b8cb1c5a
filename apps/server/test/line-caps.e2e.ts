/** What accounts use of phone lines stays within the operator's caps, in all workers together. */
import type { Call, LimitUse } from '@vaani/contracts'
import { createSoftphone, type Softphone } from '@vaani/telephony-sip'
import { until } from '@vaani/test-services/until'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capsSchema } from '../src/features/calls/carriers/line-caps.ts'
import { type Charge, StoredLineCaps, sweepLineUse } from '../src/features/calls/line-caps.ts'
import { openPool } from './support/open-pool.ts'
import { countRowsRead, turnOffAutovacuum } from './support/rows-read.ts'
import { seriesOf } from './support/series.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const NOON_MS = Date.UTC(2027, 0, 1, 12)
const DAY_MS = 86_400_000
const NUMBER = '+9779812345678'
const BUSY = '+15005550001'
/** Allowance for the planner, which may read the ends of an index. */
const PLANNER_LOOKS = 10

let server: TestServer
let phone: Softphone
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-caps-'))
  phone = await createSoftphone({ ringMs: 50 })
  const { host, port, transport } = phone.trunk
  const carriersFile = path.join(folder, 'carriers.json')
  await writeFile(
    carriersFile,
    JSON.stringify({
      carriers: { simulator: { type: 'simulator' }, line: { type: 'sip', host, port, transport } },
      hours: 'any',
      test: ['simulator'],
      live: [{ carrier: 'line', prefixes: ['+977', '+1500555'], price_per_minute: '0.25' }],
      caps: {
        currency: 'EUR',
        default: { minutes_per_day: 3, spend_per_day: '2', attempts_per_number_per_day: 2 },
      },
    }),
  )
  server = await startTestServer({ config: { carriersFile, metricsPort: 0 } })
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await phone.close()
  await rm(folder, { recursive: true, force: true })
})

const createAccount = async () => (await server.createAccount({ tier: 'pro' })).accountId

/** The caps of one worker. */
function openCaps(file: object, clock = { nowMs: () => NOON_MS }) {
  const counted: string[] = []
  const caps = new StoredLineCaps({
    pool: server.context.pool,
    clock,
    routes: { test: [], live: [{ carrier: 'line', pricePerMinuteMicros: 250_000 }] },
    caps: capsSchema.parse(file),
    capped: { add: ({ state, reason }) => void counted.push(`${state} ${reason}`) },
  })
  return { caps, counted }
}
const callOf = (accountId: string, to = NUMBER) => ({ accountId, livemode: true, to, carrier: 'line' })
const isCharge = (taken: Charge | string): taken is Charge => typeof taken === 'object'

describe('the caps of an account', () => {
  test('are never exceeded by fifty calls at once of several workers, and are used up', async () => {
    const [account, other] = [await createAccount(), await createAccount()]
    const workers = [1, 2, 3].map(() => openCaps({ default: { minutes_per_day: 20 } }).caps)
    const take = (of: string) =>
      Promise.all(Array.from({ length: 50 }, (_, index) => workers[index % 3]?.take(callOf(of)) ?? 'minutes'))
    const taken = await take(account)
    expect(taken.filter(isCharge)).toHaveLength(20)
    expect(taken.filter((one) => one === 'minutes')).toHaveLength(30)
    expect((await take(other)).filter(isCharge)).toHaveLength(20)
  })

  test('hold for minutes that calls go on, and for money to the millionth', async () => {
    const account = await createAccount()
    const { caps, counted } = openCaps({ currency: 'EUR', default: { spend_per_day: '0.75' } })
    const charge = await caps.take(callOf(account))
    if (!isCharge(charge)) throw new Error('Nothing was taken')
    expect(await caps.extend(charge)).toBeNull()
    expect(await caps.extend(charge)).toBeNull()
    expect(await caps.extend(charge)).toBe('spend')
    expect(await caps.take(callOf(account))).toBe('spend')
    expect(counted).toEqual(['talk spend', 'dial spend'])
    expect(await caps.read(account)).toEqual([
      { name: 'line_spend', currency: 'EUR', limit: 0.75, used: 0.75, reset_seconds: 43_200 },
    ])
  })

  test('a price above the whole cap of money is never dialled', async () => {
    const { caps } = openCaps({ currency: 'EUR', default: { spend_per_day: '0.249999' } })
    expect(await caps.take(callOf(await createAccount()))).toBe('spend')
  })

  test('count attempts by number, and a refused call takes neither an attempt nor a minute', async () => {
    const account = await createAccount()
    const { caps } = openCaps({ default: { minutes_per_day: 4, attempts_per_number_per_day: 2 } })
    for (const _ of [1, 2]) expect(isCharge(await caps.take(callOf(account)))).toBe(true)
    for (const _ of [1, 2, 3]) expect(await caps.take(callOf(account))).toBe('attempts')
    const others = ['+9779800000001', '+9779800000002', '+9779800000003']
    const taken = await Promise.all(others.map((to) => caps.take(callOf(account, to))))
    expect(taken.filter(isCharge)).toHaveLength(2)
    const refused = others[taken.findIndex((one) => !isCharge(one))] ?? ''
    // The minute that was refused took no attempt at its number.
    const { rows } = await server.context.pool.query(
      'select from line_attempts where account_id = $1 and phone_number = $2',
      [account, refused],
    )
    expect(rows).toEqual([])
  })

  test('begin anew with the day in UTC, and a call across midnight gives back what it did not use', async () => {
    const account = await createAccount()
    let nowMs = Date.UTC(2027, 0, 1, 23, 59, 30)
    const { caps } = openCaps({ default: { minutes_per_day: 1 } }, { nowMs: () => nowMs })
    const charge = await caps.take(callOf(account))
    if (!isCharge(charge)) throw new Error('Nothing was taken')
    expect(await caps.extend(charge)).toBe('minutes')
    nowMs += 60_000
    expect(await caps.extend(charge)).toBeNull()
    expect(await caps.take(callOf(account))).toBe('minutes')
    await caps.settle(charge, { minutes: 1, attempted: true })
    expect(isCharge(await caps.take(callOf(account)))).toBe(true)
  })

  test('are met by a call that is due today, and not by one for another day', async () => {
    const account = await createAccount()
    const { caps, counted } = openCaps({ default: { minutes_per_day: 1 } })
    const { pool } = server.context
    expect(await caps.findReached(pool, callOf(account), new Date(NOON_MS))).toBeNull()
    await caps.take(callOf(account))
    expect(await caps.findReached(pool, callOf(account), new Date(NOON_MS + 3_600_000))).toBe('minutes')
    expect(await caps.findReached(pool, callOf(account), new Date(NOON_MS + DAY_MS))).toBeNull()
    expect(counted).toEqual(['placement minutes'])
  })

  test('cost a few rows among many, and what was used before yesterday is swept', async () => {
    const account = await createAccount()
    const pool = openPool(server.databaseUrl, 1)
    await turnOffAutovacuum(pool, ['line_use', 'line_attempts'])
    await pool.query(
      `insert into line_attempts select $1, '+977' || i, '2026-12-31', 1 from generate_series(1, 100000) i`,
      [account],
    )
    await pool.query(`insert into line_use values ($1, '2026-12-30', 9, 9), ($1, '2026-12-31', 9, 9)`, [
      account,
    ])
    const caps = new StoredLineCaps({
      pool,
      clock: { nowMs: () => NOON_MS },
      routes: { test: [], live: [] },
      caps: capsSchema.parse({ default: { minutes_per_day: 9, attempts_per_number_per_day: 9 } }),
      capped: { add: () => undefined },
    })
    for (const prepare of ['select 1', 'vacuum analyze line_attempts, line_use']) {
      await pool.query(prepare)
      const before = await countRowsRead(pool, ['line_use', 'line_attempts'])
      const charge = await caps.take(callOf(account))
      if (isCharge(charge)) await caps.settle(charge, { minutes: 0, attempted: false })
      await caps.findReached(pool, callOf(account), new Date(NOON_MS))
      const read = (await countRowsRead(pool, ['line_use', 'line_attempts'])) - before
      expect(read).toBeLessThan(30 + PLANNER_LOOKS)
    }
    await sweepLineUse({ pool, clock: { nowMs: () => NOON_MS + DAY_MS } })
    const { rows } = await pool.query(`select day::text from line_use where account_id = $1`, [account])
    expect(rows).toEqual([{ day: '2027-01-01' }])
    expect((await pool.query(`select from line_attempts where day < '2027-01-01'`)).rows).toEqual([])
    await pool.end()
  })
})

describe('a server with caps', () => {
  const useOf = async (key: string, name: string) => {
    const { body } = await server.json<LimitUse>('/v1/limits', { key })
    return body.caps.find((cap) => cap.name === name)?.used
  }
  const place = (key: string, body: object) =>
    server.json<Call>('/agent/calls', { body: { agent_id: 'short', language: 'en-US', ...body }, key })
  const createKeys = async () => {
    const accountId = await createAccount()
    const keys = [await server.createKey(accountId, true), await server.createKey(accountId, false)] as const
    const agent = { language: 'en-US', voice: 'nova', name: 'Short', greeting: 'Hi.' }
    for (const key of keys) await server.json('/admin/agents/short', { method: 'PUT', body: agent, key })
    return keys
  }
  const untilEnded = (key: string, callId: string) =>
    until(
      async () => (await server.json<Call>(`/agent/calls/${callId}`, { key })).body,
      ({ status }) => status === 'completed' || status === 'failed',
    )

  test('counts a call that talks, gives back one that does not, and then refuses with what to change', async () => {
    const [live, testKey] = await createKeys()
    const busy = await place(live, { to: BUSY })
    expect(await untilEnded(live, busy.body.call_id)).toMatchObject({ failure_reason: 'busy' })
    await until(
      () => useOf(live, 'line_minutes'),
      (used) => used === 0,
    )
    for (const [index, to] of [NUMBER, NUMBER, '+9779812345679'].entries()) {
      const { body } = await place(live, { to })
      expect(await untilEnded(live, body.call_id)).toMatchObject({ status: 'completed' })
      expect(await useOf(live, 'line_minutes')).toBe(index + 1)
    }
    expect(await useOf(live, 'line_spend')).toBe(0.75)
    expect(await useOf(live, 'attempts_per_number')).toBeNull()

    const refused = await place(live, { to: NUMBER })
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({ error: { code: 'call_cap_reached', param: 'to' } })
    const other = await place(live, { to: '+9779812345670' })
    expect(other.body).toMatchObject({ error: { code: 'call_cap_reached', param: 'scheduled_at' } })
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString()
    expect((await place(live, { to: NUMBER, scheduled_at: tomorrow })).status).toBe(201)
    // No phone rings in test mode, so that nothing is counted.
    const simulated = await place(testKey, { to: NUMBER })
    expect(await untilEnded(testKey, simulated.body.call_id)).toMatchObject({ status: 'completed' })
    expect(await useOf(testKey, 'line_minutes')).toBe(3)
  })

  test('fails a call at the dial once others have used up what was left, and counts it', async () => {
    const [live] = await createKeys()
    const numbers = Array.from({ length: 6 }, (_, index) => `+97798123450${index}0`)
    const placed = await Promise.all(numbers.map((to) => place(live, { to })))
    const ended = await Promise.all(
      placed.filter(({ status }) => status === 201).map(({ body }) => untilEnded(live, body.call_id)),
    )
    expect(ended.filter(({ status }) => status === 'completed')).toHaveLength(3)
    const failed = ended.filter(({ status }) => status === 'failed')
    expect(new Set(failed.map(({ failure_reason }) => failure_reason))).toEqual(
      new Set(failed.length === 0 ? [] : ['call-cap']),
    )
    const refused = seriesOf(await server.scrape(), 'vaani_calls_capped_total')
    expect(Object.values(refused).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(3)
  })
})
