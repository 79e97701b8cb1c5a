import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call, CallTranscript, ErrorBody } from '@vaani/contracts'
import { createSoftphone, type Softphone } from '@vaani/telephony-sip'
import { type SipTrunk, startSipTrunk } from './support/sip-trunk.ts'
import { freePort } from './support/redis-process.ts'
import { seriesOf } from './support/series.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { zoneAtNight } from './support/zone-at-night.ts'
import { until } from '@vaani/test-services/until'

/** The overloaded trunk rings here before it gives up. */
const RINGS_FIRST = '+447700900002'
const DAY_MS = 86_400_000

let server: TestServer
let folder: string
let phone: Softphone
let overloaded: SipTrunk
let keys: { live: string; test: string }

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-carriers-'))
  // A carrier of an operator: the simulator under a name of its own.
  const simulator = pathToFileURL(
    path.resolve(import.meta.dirname, '../../../packages/telephony-sip/src/simulator/index.ts'),
  )
  await writeFile(
    path.join(folder, 'trunk.mjs'),
    `import { createSimulatorCarrier } from ${JSON.stringify(simulator.href)}
     export default (options) => ({ ...createSimulatorCarrier(options), name: 'trunk' })`,
  )
  overloaded = await startSipTrunk((number) => [
    ...(number === RINGS_FIRST ? ['180 Ringing'] : []),
    '503 Service Unavailable',
  ])
  phone = await createSoftphone({ ringMs: 100 })
  await writeFile(path.join(folder, 'password'), 'secret\n')
  const { host, port, transport } = phone.trunk
  const line = { type: 'sip', host, port, transport, username: 'vaani', password_file: './password' }
  const carriersFile = path.join(folder, 'carriers.json')
  await writeFile(
    carriersFile,
    JSON.stringify({
      carriers: {
        simulator: { type: 'simulator' },
        line,
        overloaded: { type: 'sip', host: '127.0.0.1', port: overloaded.port },
        gone: { type: 'sip', host: '127.0.0.1', port: await freePort(), transport: 'tcp' },
        trunk: { type: 'module', module: './trunk.mjs', options: { frameIntervalMs: 2 } },
      },
      hours: 'any',
      test: ['simulator'],
      live: [
        { carrier: 'line', prefixes: ['+97798', '+1500555', '+449', '+881', '+4930'] },
        { carrier: 'overloaded', prefixes: ['+4477'] },
        { carrier: 'gone', prefixes: ['+4420', '+4477'] },
        { carrier: 'line', prefixes: ['+4477', '+44203'] },
        { carrier: 'simulator', prefixes: ['+4420'] },
        {
          carrier: 'line',
          prefixes: ['+97761'],
          hours: [{ from: '08:00', to: '21:00' }],
          time_zone: zoneAtNight(),
        },
        { carrier: 'trunk', prefixes: ['+977'] },
      ],
    }),
  )
  server = await startTestServer({ config: { carriersFile, metricsPort: 0 } })
  const { accountId } = await server.createAccount()
  keys = { live: await server.createKey(accountId, true), test: await server.createKey(accountId, false) }
  const body = { language: 'en-US', voice: 'nova', name: 'Mine', greeting: 'Hi.' }
  for (const key of Object.values(keys)) await server.json('/admin/agents/mine', { method: 'PUT', body, key })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await phone.close()
  await overloaded[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const place = (key: string, to: string) =>
  server.json<Call>('/agent/calls', { body: { to, agent_id: 'mine' }, key })

const untilEnded = (key: string, callId: string) =>
  until(
    async () => (await server.json<Call>(`/agent/calls/${callId}`, { key })).body,
    (call) => call.status === 'completed' || call.status === 'failed',
  )

test.each([
  ['live', '+97714412345', 'trunk'],
  ['live', '+9779812345678', 'line'],
  ['test', '+9779812345678', 'simulator'],
] as const)('a %s call is rung by the carrier of its mode', async (mode, to, carrier) => {
  const { status, body } = await place(keys[mode], to)
  expect({ status, carrier: body.carrier }).toEqual({ status: 201, carrier })
  const ended = await untilEnded(keys[mode], body.call_id)
  expect(ended).toMatchObject({ status: 'completed', carrier })
  expect(ended.quality?.packets_sent).toBeGreaterThan(0)
  expect(ended).not.toHaveProperty('sip_status')
})

test('an answered call on a line keeps its quality, in reads and in the event of its end', async () => {
  const { body } = await place(keys.live, '+9779812345678')
  const ended = await untilEnded(keys.live, body.call_id)
  const { quality } = ended
  expect(quality?.packets_sent).toBeGreaterThan(0)
  expect(quality?.packets_received).toBeGreaterThan(0)
  expect(quality?.mos).toBeGreaterThanOrEqual(1)
  const event = await server.context.database
    .selectFrom('events')
    .where('object_id', '=', body.call_id)
    .where('type', '=', 'call.completed')
    .select('body')
    .executeTakeFirstOrThrow()
  expect(JSON.parse(event.body)).toMatchObject({ data: ended })
})

test.each([
  ['busy', '+15005550001', 486],
  ['rejected', '+15005550002', 603],
  ['unreachable', '+15005550006', 404],
])('a number on a line that is %s fails so, with the status of the line', async (reason, to, status) => {
  const { body } = await place(keys.live, to)
  const ended = await untilEnded(keys.live, body.call_id)
  expect(ended).toMatchObject({
    status: 'failed',
    carrier: 'line',
    failure_reason: reason,
    sip_status: status,
  })
  expect(ended).not.toHaveProperty('quality')
})

/** Returns the first answer of `/readyz` that knows the health of all trunks. */
const untilHealthIsKnown = () =>
  until(
    () => server.json<{ checks: Record<string, string> }>('/readyz', { key: null }),
    ({ body: { checks } }) =>
      ['line', 'overloaded', 'gone'].every(
        (name) => !/^(unknown|absent)$/.test(checks[`carrier.${name}`] ?? 'absent'),
      ),
  )

test('the health of each trunk is known before its first call, and takes no server out of service', async () => {
  const { status, body } = await untilHealthIsKnown()
  expect(status).toBe(200)
  expect(body.checks).toMatchObject({
    'carrier.line': 'up',
    'carrier.gone': expect.stringMatching(/^down since \S+Z: unreachable$/),
  })
  expect(body.checks).not.toHaveProperty('carrier.simulator')
  expect(seriesOf(await server.scrape(), 'vaani_carrier_up')).toEqual({
    'carrier="line"': 1,
    'carrier="overloaded"': 1,
    'carrier="gone"': 0,
  })
})

test('calls and their quality are counted by carrier', async () => {
  const count = async () => {
    const text = await server.scrape()
    const calls = seriesOf(text, 'vaani_carrier_calls_total')
    const rated = seriesOf(text, 'vaani_carrier_mos_count')
    const ofLine = ['answered', '4xx'].map((status) => calls[`carrier="line",status="${status}"`] ?? 0)
    return [...ofLine, calls['carrier="gone",status="none"'] ?? 0, rated['carrier="line"'] ?? 0]
  }
  const before = await count()
  for (const to of ['+9779812345678', '+15005550001', '+442079460000'])
    await untilEnded(keys.live, (await place(keys.live, to)).body.call_id)
  expect((await count()).map((value, index) => value - (before[index] ?? 0))).toEqual([1, 1, 1, 1])
})

describe('a call whose trunk takes no calls', () => {
  beforeAll(async () => void (await untilHealthIsKnown()))
  const call = async (to: string) => {
    const { body } = await place(keys.live, to)
    return { placed: body, ended: await untilEnded(keys.live, body.call_id) }
  }

  test('is rung at once by the next carrier, if the trunk is known to be down', async () => {
    const { placed, ended } = await call('+442030000000')
    expect(placed.carrier).toBe('gone')
    expect(ended).toMatchObject({ status: 'completed', carrier: 'line' })
  })

  test('never goes on to a simulator', async () => {
    const { ended } = await call('+442079460000')
    expect(ended).toMatchObject({ status: 'failed', carrier: 'gone', failure_reason: 'unreachable' })
  })

  test('is rung by the next carrier that is up, if the trunk refuses it before the first ring', async () => {
    const to = '+447700900001'
    const { placed, ended } = await call(to)
    expect(placed.carrier).toBe('overloaded')
    expect(ended).toMatchObject({ status: 'completed', carrier: 'line' })
    expect(ended).not.toHaveProperty('sip_status')
    expect(overloaded.called().filter((number) => number === to)).toHaveLength(1)
  })

  test('is rung by no other carrier once it has rung', async () => {
    const { ended } = await call(RINGS_FIRST)
    expect(ended).toMatchObject({
      status: 'failed',
      carrier: 'overloaded',
      failure_reason: 'carrier-error',
      sip_status: 503,
    })
  })
})

test('a number that no carrier of the mode rings is refused, and nothing is written', async () => {
  const { status, body } = await place(keys.live, '+14155550123')
  expect({ status, body }).toMatchObject({ status: 400, body: { error: { param: 'to' } } })
  expect((await place(keys.test, '+14155550123')).status).toBe(201)
  const calls = await server.json<{ data: Call[] }>('/agent/calls', { key: keys.live })
  expect(calls.body.data.map(({ to }) => to)).not.toContain('+14155550123')
})

async function barred(at: string, reason: string): Promise<number> {
  const line = `vaani_calls_barred_total{state="${at}",reason="${reason}"} `
  const found = (await server.scrape()).split('\n').find((one) => one.startsWith(line))
  return Number(found?.slice(line.length))
}

test.each([
  ['premium_rate', '+449012345678'],
  ['emergency', '+44999123456'],
  ['global_network', '+881612345678'],
])('a number that is %s is refused for a line, and a simulator takes it', async (bar, to) => {
  const before = await barred('placement', bar)
  const { status, body } = await place(keys.live, to)
  expect({ status, body }).toMatchObject({
    status: 422,
    body: { error: { code: 'number_barred', param: 'to' } },
  })
  expect(await barred('placement', bar)).toBe(before + 1)
  expect((await place(keys.test, to)).status).toBe(201)
})

test('a call that waits fails without being dialled if no line may dial its number any more', async () => {
  const scheduled = { to: '+9779812345679', agent_id: 'mine', scheduled_at: inAnHour() }
  const { body } = await server.json<Call>('/agent/calls', { body: scheduled, key: keys.live })
  const before = await barred('dial', 'no_route')
  // As if the operator had listed fewer prefixes since.
  await server.context.database
    .updateTable('calls')
    .set({ to_number: '+97714412345', scheduled_at: new Date() })
    .where('call_id', '=', body.call_id)
    .execute()
  const ended = await until(
    async () => (await server.json<Call>(`/agent/calls/${body.call_id}`, { key: keys.live })).body,
    (call) => call.status === 'failed',
  )
  expect(ended).toMatchObject({ carrier: 'line', failure_reason: 'number-barred' })
  expect(ended.ringing_since).toBeUndefined()
  expect(await barred('dial', 'no_route')).toBe(before + 1)
})

test('where the law asks for it, an agent first says that the voice is artificial, and that the call is recorded', async () => {
  const { body } = await place(keys.live, '+4930123456')
  await untilEnded(keys.live, body.call_id)
  const transcript = await server.json<CallTranscript>(`/agent/calls/${body.call_id}/transcript`, {
    key: keys.live,
  })
  expect(transcript.body.turns[0]?.text).toBe('This is an artificial voice, and this call is recorded. Hi.')
})

describe('the hours of a line', () => {
  const AT_NIGHT = '+97761461234'

  test('refuse a call that is due at night, and name the time from which it may be placed', async () => {
    const { status, body } = await server.json<ErrorBody>('/agent/calls', {
      body: { to: AT_NIGHT, agent_id: 'mine' },
      key: keys.live,
    })
    expect({ status, code: body.error.code, param: body.error.param }).toEqual({
      status: 422,
      code: 'outside_calling_hours',
      param: 'scheduled_at',
    })
    const next = /from (\S+) on/.exec(body.error.message)?.[1] ?? ''
    const scheduled = { to: AT_NIGHT, agent_id: 'mine', scheduled_at: next }
    expect((await server.json('/agent/calls', { body: scheduled, key: keys.live })).status).toBe(201)
    // Nobody is rung in test mode.
    expect((await place(keys.test, AT_NIGHT)).status).toBe(201)
  })

  test('fail a call at the dial that was to be dialled before they ended', async () => {
    const inTime = await server.json<Call>('/agent/calls', {
      body: { to: AT_NIGHT, agent_id: 'mine', scheduled_at: new Date(Date.now() + DAY_MS / 2).toISOString() },
      key: keys.live,
    })
    expect(inTime.status).toBe(201)
    // As if it had waited in the queue until now.
    await server.context.database
      .updateTable('calls')
      .set({ scheduled_at: new Date() })
      .where('call_id', '=', inTime.body.call_id)
      .execute()
    expect(await untilEnded(keys.live, inTime.body.call_id)).toMatchObject({
      status: 'failed',
      failure_reason: 'outside-hours',
    })
  })
})
