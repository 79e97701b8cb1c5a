/** A caller id is verified by a call that says a code, and no call shows one that is not verified. */
import { type Call, LIMITS, type OwnCallerId, type StartedCallerId } from '@vaani/contracts'
import { createSimulatorCarrier } from '@vaani/telephony-sip/simulator'
import { until } from '@vaani/test-services/until'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Selectable } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallerIdVerificationTable } from '../src/features/caller-ids/tables.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const PATH = '/v1/caller-ids'
const DAY_MS = 86_400_000
/** The loopback phone answers it as busy. */
const BUSY = '+15005550001'

let server: TestServer
let nowMs = Date.now()
/** What the simulator was asked to dial. */
const dialled: { to: string; recordingPath?: string | undefined }[] = []
beforeAll(async () => {
  const phone = createSimulatorCarrier({ frameIntervalMs: 2 })
  const createSimulator = () => ({
    ...phone,
    dial(request: Parameters<typeof phone.dial>[0]) {
      dialled.push(request)
      return phone.dial(request)
    },
  })
  server = await startTestServer({ clock: { nowMs: () => nowMs }, createSimulator })
})
afterAll(() => server?.[Symbol.asyncDispose]())

let lastNumber = 9_779_812_000_000
/** A number that no other test calls; the simulator answers it. */
const freshNumber = () => `+${(lastNumber += 10)}`
const start = (key: string, phone_number: string, more: object = {}) =>
  server.json<StartedCallerId>(PATH, { key, body: { phone_number, language: 'en-US', ...more } })
const verify = (key: string, id: string, code: string) =>
  server.json<OwnCallerId>(`${PATH}/${id}/verify`, { key, body: { code } })
const retrieve = (key: string, id: string) => server.json<OwnCallerId>(`${PATH}/${id}`, { key })
const remove = (key: string, id: string) => server.json(`${PATH}/${id}`, { key, method: 'DELETE' })
const list = async (key: string, query = '') =>
  (await server.json<{ data: OwnCallerId[] }>(`${PATH}${query}`, { key })).body.data
const place = (key: string, from_caller_id: string, more: object = {}) =>
  server.json<Call>('/agent/calls', {
    key,
    body: { to: '+9779812345670', agent_id: 'reminder', language: 'en-US', from_caller_id, ...more },
  })
const wrong = (code: string | undefined) => String((Number(code) + 1) % 1e6).padStart(6, '0')
const callEnded = (id: OwnCallerId['caller_id_id']) =>
  until(
    () =>
      server.context.database
        .selectFrom('caller_id_verifications')
        .where('caller_id_id', '=', id)
        .selectAll()
        .executeTakeFirstOrThrow(),
    ({ call_ended_at }) => call_ended_at !== null,
  )

/** Writes a verification whose call has not ended. */
async function write(
  row: Pick<Selectable<CallerIdVerificationTable>, 'account_id' | 'phone_number' | 'worker_id'>,
): Promise<OwnCallerId['caller_id_id']> {
  const caller_id_id = server.context.makeId('caller_id')
  await server.context.database
    .insertInto('caller_id_verifications')
    .values({
      ...row,
      caller_id_id,
      livemode: false,
      language: 'en-US',
      carrier: 'simulator',
      rings: false,
      created_at: new Date(nowMs),
      expires_at: new Date(nowMs + 600_000),
      call_ended_at: null,
      failure_reason: null,
      verified_at: null,
      removed_at: null,
    })
    .execute()
  return caller_id_id
}

async function startOne(
  key: string,
  number = freshNumber(),
): Promise<StartedCallerId & { test_code: string }> {
  // Ids of the same millisecond have no order.
  nowMs++
  const { status, body } = await start(key, number)
  expect(status).toBe(201)
  return { ...body, test_code: body.test_code ?? '' }
}
async function verifyOne(key: string, number = freshNumber()): Promise<OwnCallerId> {
  const { caller_id_id, test_code } = await startOne(key, number)
  const verified = await verify(key, caller_id_id, test_code)
  expect(verified.status).toBe(200)
  return verified.body
}

describe('a number', () => {
  test('is called, verified by its code, shown by calls, and removed', async () => {
    const { key } = await server.createAccount()
    const number = freshNumber()
    const started = await startOne(key, number)
    expect(started).toEqual({
      caller_id_id: expect.stringMatching(/^cid_/),
      livemode: false,
      phone_number: number,
      source: 'call',
      status: 'pending',
      failure_reason: null,
      attempts_left: 5,
      expires_at: expect.any(String),
      verified_at: null,
      test_code: expect.stringMatching(/^\d{6}$/),
    })
    const { test_code, ...pending } = started
    expect((await retrieve(key, started.caller_id_id)).body).toEqual(pending)
    expect(await place(key, number)).toMatchObject({ status: 403 })
    expect(await callEnded(started.caller_id_id)).toMatchObject({ failure_reason: null })
    expect(dialled.filter(({ to }) => to === number)).toEqual([
      expect.not.objectContaining({ recordingPath: expect.anything() }),
    ])
    const verified = await verify(key, started.caller_id_id, test_code)
    expect(verified).toMatchObject({
      status: 200,
      body: { status: 'verified', source: 'call', expires_at: null },
    })
    expect(await list(key)).toEqual([verified.body])
    expect(await place(key, number)).toMatchObject({ status: 201 })
    expect((await server.json(PATH, { key, body: { phone_number: number } })).status).toBe(409)
    expect(await remove(key, started.caller_id_id)).toMatchObject({ status: 204 })
    expect(await remove(key, started.caller_id_id)).toMatchObject({ status: 404 })
    expect(await place(key, number)).toMatchObject({ status: 403 })
    expect(await list(key)).toEqual([])
  })

  test('that the operator added is listed and removed too, in the order of all', async () => {
    const { accountId, key } = await server.createAccount()
    const first = await verifyOne(key)
    nowMs++
    const added = await server.json<{ caller_id_id: string }>('/admin/caller-ids', {
      body: { account_id: accountId, phone_number: freshNumber() },
    })
    const last = await startOne(key)
    const all = await list(key)
    expect(all.map(({ caller_id_id, source, status }) => [caller_id_id, source, status])).toEqual([
      [last.caller_id_id, 'call', 'pending'],
      [added.body.caller_id_id, 'operator', 'verified'],
      [first.caller_id_id, 'call', 'verified'],
    ])
    expect(await list(key, '?limit=1')).toEqual([all[0]])
    expect(await list(key, `?limit=1&cursor=${all[0]?.caller_id_id}`)).toEqual([all[1]])
    expect(await remove(key, added.body.caller_id_id)).toMatchObject({ status: 204 })
  })

  test('that is busy fails so, and its code is worth nothing', async () => {
    const { key } = await server.createAccount()
    const { caller_id_id, test_code } = await startOne(key, BUSY)
    await callEnded(caller_id_id)
    expect((await retrieve(key, caller_id_id)).body).toMatchObject({
      status: 'failed',
      failure_reason: 'busy',
    })
    expect(await verify(key, caller_id_id, test_code)).toMatchObject({ status: 409 })
  })

  test('on a do-not-call list is not called, even if it is listed after the request', async () => {
    const { accountId, key } = await server.createAccount()
    const number = freshNumber()
    await server.json('/v1/do-not-call', { key, body: { phone_number: number } })
    expect(await start(key, number)).toMatchObject({ status: 422, body: { error: { code: 'do_not_call' } } })
    const waiting = await write({ account_id: accountId, phone_number: number, worker_id: null })
    expect(await callEnded(waiting)).toMatchObject({ failure_reason: 'do-not-call' })
    expect(dialled.map(({ to }) => to)).not.toContain(number)
  })

  test('is E.164, and the language is one in which a code can be said', async () => {
    const { key } = await server.createAccount()
    expect((await start(key, '9812345678')).status).toBe(422)
    expect((await start(key, freshNumber(), { language: 'tlh' })).status).toBe(400)
  })

  test('is verified by keys with the scope admin only', async () => {
    const { key } = await server.createAccount({}, ['calls:write', 'calls:read'])
    expect((await start(key, freshNumber())).status).toBe(403)
    expect((await server.json(PATH, { key })).status).toBe(403)
  })
})

describe('a caller id that is removed', () => {
  test('fails calls that wait to be dialled with it', async () => {
    const { key } = await server.createAccount()
    const { caller_id_id, phone_number } = await verifyOne(key)
    const scheduled_at = new Date(nowMs + 3_600_000).toISOString()
    const placed = await place(key, phone_number, { to: '+9779812345699', scheduled_at })
    expect(placed.status).toBe(201)
    await remove(key, caller_id_id)
    await server.context.database
      .updateTable('calls')
      .set({ scheduled_at: new Date(nowMs) })
      .where('call_id', '=', placed.body.call_id)
      .execute()
    const over = await until(
      async () => (await server.json<Call>(`/agent/calls/${placed.body.call_id}`, { key })).body,
      ({ status }) => status === 'failed' || status === 'completed',
    )
    expect(over).toMatchObject({ status: 'failed', failure_reason: 'caller-id' })
    expect(dialled.map(({ to }) => to)).not.toContain('+9779812345699')
  })
})

describe('an enemy', () => {
  test('gets five attempts at a code, also at once and with the right one as the sixth', async () => {
    const { key } = await server.createAccount()
    const { caller_id_id, test_code } = await startOne(key)
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => (await verify(key, caller_id_id, wrong(test_code))).status),
    )
    expect(statuses.filter((status) => status === 422)).toHaveLength(5)
    expect(statuses.filter((status) => status === 409)).toHaveLength(7)
    expect(await verify(key, caller_id_id, test_code)).toMatchObject({ status: 409 })
    expect((await retrieve(key, caller_id_id)).body).toMatchObject({
      status: 'failed',
      failure_reason: 'too-many-attempts',
      attempts_left: null,
    })
  })

  test('with the right code twice at once verifies once, and a replay is refused', async () => {
    const { key } = await server.createAccount()
    const { caller_id_id, test_code } = await startOne(key)
    const both = await Promise.all([1, 2].map(() => verify(key, caller_id_id, test_code)))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await list(key)).toHaveLength(1)
    await remove(key, caller_id_id)
    expect(await verify(key, caller_id_id, test_code)).toMatchObject({ status: 404 })
  })

  test('cannot use the code of one verification for another', async () => {
    const { key } = await server.createAccount()
    const number = freshNumber()
    const [first, second] = [await startOne(key, number), await startOne(key, number)]
    // One time in a million both are the same.
    if (first.test_code !== second.test_code)
      expect(await verify(key, first.caller_id_id, second.test_code)).toMatchObject({ status: 422 })
  })

  test('learns nothing of the ids of other accounts, of the other mode, or of none', async () => {
    const { accountId, key } = await server.createAccount()
    const pending = await startOne(key)
    const verified = await verifyOne(key)
    const others = [(await server.createAccount()).key, await server.createKey(accountId, true), server.key]
    const none = 'cid_01kamx3v6pf9hr2x8c0q5d7etn'
    for (const other of others) {
      const unknown = await retrieve(other, none)
      for (const { caller_id_id } of [pending, verified]) {
        const answers = await Promise.all([
          retrieve(other, caller_id_id),
          verify(other, caller_id_id, pending.test_code),
          remove(other, caller_id_id),
        ])
        for (const answer of answers) {
          expect(answer.status).toBe(404)
          expect(answer.body).toMatchObject({
            error: {
              code: 'not_found',
              message: Reflect.get(Object(Reflect.get(unknown.body, 'error')), 'message'),
            },
          })
        }
      }
      expect(await list(other)).toEqual([])
    }
    expect((await retrieve(key, pending.caller_id_id)).body.attempts_left).toBe(5)
  })

  test('cannot verify with a code that has expired', async () => {
    const { key } = await server.createAccount()
    const { caller_id_id, test_code } = await startOne(key)
    nowMs += LIMITS.callerIdCodeMinutes * 60_000
    expect(await verify(key, caller_id_id, test_code)).toMatchObject({ status: 409 })
    expect((await retrieve(key, caller_id_id)).body).toMatchObject({
      status: 'failed',
      failure_reason: 'expired',
    })
  })

  test('has a number called three times in a day, and removing verifications does not help', async () => {
    const { key } = await server.createAccount({ tier: 'enterprise' })
    const number = freshNumber()
    const started = await Promise.all(Array.from({ length: 6 }, () => start(key, number)))
    const statuses = started.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 201, 201, 429, 429, 429])
    for (const { status, body } of started) if (status === 201) await remove(key, body.caller_id_id)
    const refused = await start(key, number)
    expect(refused).toMatchObject({ status: 429, body: { error: { param: 'phone_number' } } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(DAY_MS / 1000 - 60)
    nowMs += DAY_MS
    expect((await start(key, number)).status).toBe(201)
  })

  test('finds no code in the database, in events, or in the list of calls', async () => {
    const { accountId, key } = await server.createAccount()
    const { caller_id_id, test_code } = await startOne(key)
    const row = await callEnded(caller_id_id)
    expect(row.failure_reason).toBeNull()
    expect(JSON.stringify(row)).not.toContain(test_code)
    const events = await server.context.database
      .selectFrom('events')
      .where('account_id', '=', accountId)
      .selectAll()
      .execute()
    expect(events).toEqual([])
    expect((await server.json('/agent/calls', { key })).body).toMatchObject({ data: [] })
  })
})

describe('a process that dies during the call', () => {
  test('leaves a failed verification, which no other dials again', async () => {
    const { key, accountId } = await server.createAccount()
    const number = freshNumber()
    const caller_id_id = await write({
      account_id: accountId,
      phone_number: number,
      worker_id: 'process-gone',
    })
    await callEnded(caller_id_id)
    expect((await retrieve(key, caller_id_id)).body).toMatchObject({
      status: 'failed',
      failure_reason: 'interrupted',
    })
    expect(dialled.map(({ to }) => to)).not.toContain(number)
  })
})

describe('beside real phones', () => {
  let folder: string
  let real: TestServer
  let number: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vaani-caller-ids-'))
    const telephony = new URL('../../../packages/telephony-sip/src/simulator/index.ts', import.meta.url)
    await writeFile(
      path.join(folder, 'trunk.mjs'),
      `import { createSimulatorCarrier } from ${JSON.stringify(telephony.href)}
       export default (options) => ({ ...createSimulatorCarrier(options), name: 'trunk' })`,
    )
    const carriersFile = path.join(folder, 'carriers.json')
    const trunk = { type: 'module', module: './trunk.mjs', options: { frameIntervalMs: 2 } }
    await writeFile(
      carriersFile,
      JSON.stringify({
        carriers: { simulator: { type: 'simulator' }, trunk },
        hours: 'any',
        test: [{ carrier: 'trunk', prefixes: ['+1'] }, 'simulator'],
        live: [{ carrier: 'trunk', prefixes: ['+977', '+1500555', '+449'] }, 'simulator'],
      }),
    )
    real = await startTestServer({ config: { carriersFile } })
    number = freshNumber()
  })
  afterAll(async () => {
    await real?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })
  const countUnderWay = async () =>
    (
      await real.context.database
        .selectFrom('caller_id_verifications')
        .where('call_ended_at', 'is', null)
        .where('phone_number', '=', BUSY)
        .select('caller_id_id')
        .execute()
    ).length
  const startReal = (key: string, phone_number: string) =>
    real.json<StartedCallerId>(PATH, { key, body: { phone_number } })

  test('the response never has the code, and a number that the simulator takes cannot be verified', async () => {
    const { accountId, key } = await real.createAccount()
    const live = await real.createKey(accountId, true)
    const started = await startReal(live, number)
    expect(started.status).toBe(201)
    expect(started.body).not.toHaveProperty('test_code')
    for (const [one, to] of [
      [live, '+14155550123'],
      [key, number],
    ] as const)
      expect(await startReal(one, to)).toMatchObject({
        status: 400,
        body: { error: { param: 'phone_number' } },
      })
  })

  test('a number that no phone line may dial is refused, and not called', async () => {
    const { accountId } = await real.createAccount()
    const key = await real.createKey(accountId, true)
    expect(await startReal(key, '+449012345678')).toMatchObject({
      status: 422,
      body: { error: { code: 'number_barred', param: 'phone_number' } },
    })
    const listed = await real.json<{ data: unknown[] }>(PATH, { key })
    expect(listed.body.data).toEqual([])
  })

  test('a number is called once at a time and three times a day by all accounts together', async () => {
    const keys = await Promise.all(
      Array.from({ length: 3 }, async () => real.createKey((await real.createAccount()).accountId, true)),
    )
    const victim = freshNumber()
    const atOnce = await Promise.all(keys.map((key) => startReal(key, victim)))
    expect(atOnce.map(({ status }) => status).sort()).toEqual([201, 429, 429])
    for (const key of keys) {
      expect((await startReal(key, BUSY)).status).toBe(201)
      await until(countUnderWay, (count) => count === 0)
    }
    const statuses = await Promise.all(keys.map(async (key) => (await startReal(key, BUSY)).status))
    expect(statuses).toEqual([429, 429, 429])
  })
})
