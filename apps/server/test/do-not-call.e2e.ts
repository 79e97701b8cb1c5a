/** Numbers on a do-not-call list are refused when a call is placed, and never dialled if they are listed while it waits. */
import type { Call, ListedNumber, ListedNumbersImport } from '@vaani/contracts'
import { createSimulatorCarrier } from '@vaani/telephony-sip/simulator'
import { until } from '@vaani/test-services/until'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCommandLine } from './support/command-line.ts'
import { openPool } from './support/open-pool.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const LISTED = '+9779812345670'
const call = { to: LISTED, agent_id: 'reminder', language: 'en-US' }
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const PATH = '/v1/do-not-call'
const FOR_ALL = '/admin/do-not-call'

let server: TestServer
/** Numbers that were dialled. */
const dialled: string[] = []
beforeAll(async () => {
  const phone = createSimulatorCarrier({ frameIntervalMs: 2 })
  const createSimulator = () => ({
    ...phone,
    dial(request: Parameters<typeof phone.dial>[0]) {
      dialled.push(request.to)
      return phone.dial(request)
    },
  })
  server = await startTestServer({ config: { metricsPort: 0 }, createSimulator })
})
afterAll(() => server?.[Symbol.asyncDispose]())

async function add(
  key: string,
  body: object = { phone_number: LISTED },
  route = PATH,
): Promise<ListedNumber> {
  const added = await server.json<ListedNumber>(route, { key, body })
  expect(added).toMatchObject({ status: 201 })
  return added.body
}
const list = async (key: string, query = '', route = PATH) =>
  (await server.json<{ data: ListedNumber[] }>(`${route}${query}`, { key })).body.data
const remove = (key: string, id: string, route = PATH) =>
  server.json(`${route}/${id}`, { key, method: 'DELETE' })
const lookUp = (number: string) => `?phone_number=${encodeURIComponent(number)}`
const place = (key: string, more: object = {}) =>
  server.json<Call>('/agent/calls', { key, body: { ...call, ...more } })
const untilOver = (key: string, callId: string) =>
  until(
    async () => (await server.json<Call>(`/agent/calls/${callId}`, { key })).body,
    ({ status }) => status === 'completed' || status === 'failed',
  )

/** Lets the time of a scheduled call come. */
const letCome = (callId: string) =>
  server.context.database
    .updateTable('calls')
    .set({ scheduled_at: new Date() })
    .where('call_id', '=', callId)
    .execute()

async function refusals(at: string, from: string): Promise<number> {
  const line = `vaani_do_not_call_refusals_total{state="${at}",reason="${from}"} `
  const found = (await server.scrape()).split('\n').find((one) => one.startsWith(line))
  return Number(found?.slice(line.length))
}

describe('a number on the list', () => {
  test('is added once, listed, looked up and removed', async () => {
    const { key } = await server.createAccount()
    const first = await add(key, { phone_number: LISTED, reason: 'Asked on the phone' })
    expect(first).toEqual({
      listed_number_id: expect.stringMatching(/^dnc_/),
      livemode: false,
      phone_number: LISTED,
      reason: 'Asked on the phone',
      source: 'added',
      created_at: expect.any(String),
    })
    expect(await add(key, { phone_number: LISTED, reason: 'Again' })).toEqual(first)
    const second = await add(key, { phone_number: '+9779812345671' })
    expect(await list(key)).toEqual([second, first])
    const page = await server.json(`${PATH}?limit=1`, { key })
    expect(page.body).toMatchObject({ data: [second], next_cursor: second.listed_number_id })
    expect(await list(key, `?cursor=${second.listed_number_id}`)).toEqual([first])
    expect(await list(key, lookUp(LISTED))).toEqual([first])
    expect(await list(key, lookUp('+9779812345672'))).toEqual([])
    expect(await remove(key, first.listed_number_id)).toMatchObject({ status: 204 })
    expect(await remove(key, first.listed_number_id)).toMatchObject({ status: 404 })
    expect(await list(key, lookUp(LISTED))).toEqual([])
  })

  test('must be E.164', async () => {
    const { key } = await server.createAccount()
    const refused = { status: 422, body: { error: { code: 'invalid_phone', param: 'phone_number' } } }
    expect(await server.json(PATH, { key, body: { phone_number: '9812345670' } })).toMatchObject(refused)
    expect(await server.json(`${PATH}?phone_number=1`, { key })).toMatchObject(refused)
  })

  test('is refused when a call is placed, at once or for later, and nothing is stored', async () => {
    const { key } = await server.createAccount()
    const before = await refusals('placement', 'account')
    const { listed_number_id } = await add(key)
    const refused = { status: 422, body: { error: { code: 'do_not_call', param: 'to' } } }
    const headers = { 'idempotency-key': 'one' }
    expect(await server.json('/agent/calls', { key, body: call, headers })).toMatchObject(refused)
    expect(await place(key, { scheduled_at: inAnHour() })).toMatchObject(refused)
    expect((await server.json('/agent/calls', { key })).body).toMatchObject({ data: [] })
    expect(await refusals('placement', 'account')).toBe(before + 2)
    await remove(key, listed_number_id)
    expect(await server.json('/agent/calls', { key, body: call, headers })).toMatchObject({ status: 201 })
  })

  test('of another account, or of the other mode, does not matter and cannot be found out', async () => {
    const { accountId, key } = await server.createAccount()
    const { listed_number_id } = await add(key)
    for (const other of [(await server.createAccount()).key, await server.createKey(accountId, true)]) {
      expect(await list(other)).toEqual([])
      expect(await list(other, lookUp(LISTED))).toEqual([])
      expect(await remove(other, listed_number_id)).toMatchObject({ status: 404 })
      expect(await place(other, { scheduled_at: inAnHour() })).toMatchObject({ status: 201 })
      expect((await add(other)).listed_number_id).not.toBe(listed_number_id)
    }
  })
})

describe('a call that waits', () => {
  test('fails without being dialled if its number is listed meanwhile', async () => {
    const { key } = await server.createAccount()
    const to = '+9779812345673'
    const before = await refusals('dial', 'account')
    const placed = await place(key, { to, scheduled_at: inAnHour() })
    await add(key, { phone_number: to })
    await letCome(placed.body.call_id)
    const over = await untilOver(key, placed.body.call_id)
    expect(over).toMatchObject({ status: 'failed', failure_reason: 'do-not-call' })
    expect(over.ringing_since).toBeUndefined()
    const events = await server.context.database
      .selectFrom('events')
      .where('object_id', '=', placed.body.call_id)
      .where('type', '=', 'call.failed')
      .select('body')
      .execute()
    expect(events.map(({ body }) => JSON.parse(body).data)).toEqual([over])
    expect(await refusals('dial', 'account')).toBe(before + 1)
    expect(dialled).not.toContain(to)
  })

  test('is not dialled if its number is listed after a worker has taken it', async () => {
    const { key } = await server.createAccount()
    const { database } = server.context
    const to = '+9779812345674'
    const placed = await place(key, { to, scheduled_at: inAnHour() })
    // Holds the worker between its claim and the dial, because it reads the lexicon for its speaker.
    const pool = openPool(server.databaseUrl, 1)
    const holder = await pool.connect()
    await holder.query('begin; lock table lexicons in access exclusive mode')
    await letCome(placed.body.call_id)
    await until(
      () =>
        database
          .selectFrom('calls')
          .where('call_id', '=', placed.body.call_id)
          .select('worker_id')
          .executeTakeFirst(),
      (row) => row?.worker_id != null,
    )
    await add(key, { phone_number: to })
    await holder.query('rollback')
    holder.release()
    await pool.end()
    expect(await untilOver(key, placed.body.call_id)).toMatchObject({ failure_reason: 'do-not-call' })
    expect(dialled).not.toContain(to)
  })

  test('is dialled once its number is off the list again', async () => {
    const { key } = await server.createAccount()
    const to = '+9779812345675'
    const placed = await place(key, { to, scheduled_at: inAnHour() })
    const { listed_number_id } = await add(key, { phone_number: to })
    await remove(key, listed_number_id)
    await letCome(placed.body.call_id)
    expect(await untilOver(key, placed.body.call_id)).toMatchObject({ status: 'completed' })
    expect(dialled).toContain(to)
  })
})

describe('the list of the server', () => {
  const to = '+9779812345676'

  test('holds for every account and both modes, and only operators see it', async () => {
    const operator = await server.createAccount({ operator: true })
    const { accountId, key } = await server.createAccount()
    const keys = [key, await server.createKey(accountId, true)]
    const waiting = await place(key, { to, scheduled_at: inAnHour() })
    const before = await refusals('placement', 'server')
    const listed = await add(operator.key, { phone_number: to }, FOR_ALL)
    expect(listed).toMatchObject({ livemode: null, phone_number: to })
    for (const one of keys) {
      expect(await place(one, { to })).toMatchObject({
        status: 422,
        body: { error: { code: 'do_not_call' } },
      })
      expect(await list(one, lookUp(to))).toEqual([])
      expect(await remove(one, listed.listed_number_id)).toMatchObject({ status: 404 })
      for (const request of [{}, { body: { phone_number: to } }])
        expect(await server.json(FOR_ALL, { key: one, ...request })).toMatchObject({ status: 403 })
      expect(await remove(one, listed.listed_number_id, FOR_ALL)).toMatchObject({ status: 403 })
    }
    expect(await refusals('placement', 'server')).toBe(before + 2)
    await letCome(waiting.body.call_id)
    expect(await untilOver(key, waiting.body.call_id)).toMatchObject({ failure_reason: 'do-not-call' })
    expect(await list(operator.key, lookUp(to), FOR_ALL)).toEqual([listed])
    expect(await remove(operator.key, listed.listed_number_id, FOR_ALL)).toMatchObject({ status: 204 })
    expect(await place(key, { to })).toMatchObject({ status: 201 })
  })

  test('cannot be changed or read with a test key of an operator who has live ones', async () => {
    const { accountId, key } = await server.createAccount({ operator: true })
    const live = await server.createKey(accountId, true)
    const body = { phone_number: '+9779812345677' }
    expect(await server.json(FOR_ALL, { key, body })).toMatchObject({ status: 403 })
    expect(await server.json(`${FOR_ALL}/csv`, { key })).toMatchObject({ status: 403 })
    await add(live, body, FOR_ALL)
  })
})

describe('a CSV file', () => {
  const importFile = (key: string, csv: string, more: object = {}) =>
    server.json<ListedNumbersImport>(`${PATH}/csv`, { key, body: { csv, ...more } })

  test('of a stranger is imported as far as it is right', async () => {
    const { key } = await server.createAccount()
    await add(key)
    const csv = [
      '\uFEFFName;Phone;Note',
      'Sita;9779812345670;was on the list',
      'Ram;+977 981-2345671;"asked; twice"',
      'Ram;+9779812345671;again',
      'Gita;9.77981E+12;rounded',
      'Hari;9812345672;without country code',
      'Maya;+९७७ ९८१२३४५६७३;',
    ].join('\r\n')
    expect(await importFile(key, csv, { reason: 'Register' })).toMatchObject({
      status: 200,
      body: {
        added: 2,
        already_listed: 2,
        refused: 2,
        errors: [
          { line: 5, problem: 'rounded_number' },
          { line: 6, problem: 'no_country_code' },
        ],
      },
    })
    const listed = await list(key)
    expect(listed.toSorted((a, b) => a.phone_number.localeCompare(b.phone_number))).toMatchObject([
      { phone_number: LISTED, reason: null, source: 'added' },
      { phone_number: '+9779812345671', reason: 'asked; twice', source: 'imported' },
      { phone_number: '+9779812345673', reason: 'Register', source: 'imported' },
    ])
    expect(await importFile(key, csv)).toMatchObject({ body: { added: 0, already_listed: 4, refused: 2 } })
  })

  test('may not have too many lines, and two may be imported at once', async () => {
    const { key } = await server.createAccount()
    expect(await importFile(key, '+9779812345670\n'.repeat(10_001))).toMatchObject({
      status: 400,
      body: { error: { param: 'csv' } },
    })
    const numbers = Array.from({ length: 1000 }, (_, index) => `+97798${String(index).padStart(8, '0')}`)
    const answers = await Promise.all(
      [numbers, numbers.toReversed()].map((some) => importFile(key, some.join('\n'))),
    )
    expect(answers.map(({ body }) => body.added + body.already_listed)).toEqual([1000, 1000])
    expect(answers.map(({ body }) => body.added).reduce((sum, added) => sum + added)).toBe(1000)
  })

  test('is exported without formulas, and can be imported again', async () => {
    const { key } = await server.createAccount()
    await add(key, { phone_number: LISTED, reason: '=HYPERLINK("http://example.com","a")' })
    const exported = await server.fetch(`${PATH}/csv`, { key })
    expect(exported.headers.get('content-type')).toBe('text/csv')
    const csv = Buffer.from(await exported.arrayBuffer()).toString()
    const [header, line = ''] = csv.split('\r\n')
    expect(header).toBe('\uFEFFphone_number,reason,source,created_at')
    expect(line).toMatch(/^\+9779812345670,"'=HYPERLINK\(""http:\/\/example.com"",""a""\)",added,20/)
    const other = (await server.createAccount()).key
    expect(await importFile(other, csv)).toMatchObject({ body: { added: 1, refused: 0 } })
    expect(await list(other)).toMatchObject([{ reason: '=HYPERLINK("http://example.com","a")' }])
  })
})

test('the command line adds, lists, imports, exports and removes numbers', async () => {
  const { key } = await server.createAccount({ operator: true })
  const directory = await mkdtemp(path.join(tmpdir(), 'vaani-do-not-call-'))
  await using _ = { [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) }
  const variables = { VAANI_API_KEY: key, VAANI_BASE_URL: server.url }
  const { json } = createCommandLine(() => ({ variables, homeDirectory: directory }))
  const vaani = (...parameters: string[]) => json<object>('do-not-call', ...parameters)
  const [added] = await vaani('add', LISTED, '--reason', 'Asked')
  expect(added).toMatchObject({ phone_number: LISTED, reason: 'Asked' })
  expect(await vaani()).toEqual([added])
  const file = path.join(directory, 'numbers.txt')
  // As Excel saves "Unicode Text".
  await writeFile(file, Buffer.from('\uFEFFPhone\tNote\r\n+977 9812345671\tasked\r\n', 'utf16le'))
  expect(await vaani('import', file)).toEqual([{ added: 1, already_listed: 0, refused: 0, errors: [] }])
  const out = path.join(directory, 'list.csv')
  await vaani('export', '--out', out)
  expect((await readFile(out, 'utf8')).split('\r\n')).toHaveLength(4)
  expect(await vaani('remove', LISTED)).toEqual([{ phone_number: LISTED, removed: true }])
  expect(await vaani('list', '--number', LISTED)).toEqual([])
  const number = '+9779812345679'
  await vaani('add', number, '--for-all')
  expect(await vaani('list', '--for-all', '--number', number)).toMatchObject([{ livemode: null }])
  expect(await vaani('remove', number, '--for-all')).toMatchObject([{ removed: true }])
})
