/** Calls that come in on a phone line, from a user agent that is its trunk. */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call, CallTranscript } from '@vaani/contracts'
import type { VaultKeys } from '@vaani/service-kit/vault/vault'
import type { Carrier, CarrierCall } from '@vaani/telephony'
import { createSipCarrier } from '@vaani/telephony-sip'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { zoneAtNight } from './support/zone-at-night.ts'
import { until } from '@vaani/test-services/until'

const NUMBER = '+97714412345'
const TEST_NUMBER = '+97714412346'
const AGENTLESS = '+97714412347'
const CLOSED = '+97714412348'
const NARROW = '+97714412349'
const CALLER_ID = '+9779812345678'

let api: TestServer
let server: TestServer
let folder: string
let caller: Carrier
let keys: { live: string; test: string; other: string }

/** Returns a UDP port that nobody uses at this moment. */
async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-incoming-'))
  const shared = { encryptionKeys: [randomBytes(32)] satisfies VaultKeys }
  api = await startTestServer({ config: { ...shared, roles: new Set(['api']) } })
  const { accountId } = await api.createAccount()
  const other = await api.createAccount()
  keys = {
    live: await api.createKey(accountId, true),
    test: await api.createKey(accountId, false),
    other: await api.createKey(other.accountId, true),
  }
  const greeting = 'Good morning, this is the clinic.'
  const body = { language: 'en-US', voice: 'nova', name: 'Mine', greeting }
  for (const key of [keys.live, keys.test])
    await api.json('/admin/agents/front-desk', { method: 'PUT', body, key })

  const port = await freePort()
  const line = { type: 'sip', host: '127.0.0.1', port: await freePort(), local_port: port, keep_alive: false }
  const entry = { carrier: 'line', account: accountId, agent: 'front-desk' }
  const numbers = [
    { ...entry, number: NUMBER },
    { ...entry, number: TEST_NUMBER, mode: 'test' },
    { ...entry, number: AGENTLESS, agent: 'nobody' },
    { ...entry, number: CLOSED, hours: [{ from: '08:00', to: '21:00' }], time_zone: zoneAtNight() },
    { ...entry, number: NARROW, channels: 1 },
  ]
  const carriersFile = path.join(folder, 'carriers.json')
  const carriers = { simulator: { type: 'simulator' }, line }
  await writeFile(carriersFile, JSON.stringify({ carriers, test: ['simulator'], live: [], numbers }))
  const config = { ...shared, carriersFile, maxCalls: 2, databaseUrl: api.databaseUrl }
  server = await startTestServer({ config, key: api.key })
  caller = createSipCarrier({
    name: 'caller',
    trunk: { host: '127.0.0.1', port, transport: 'udp', keepAlive: false },
  })
  await until(
    async () => (await call('+97714400000').ended).sipStatus,
    (status) => status === 404,
  )
})
afterAll(async () => {
  await caller?.close()
  await server?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const call = (to: string, from = CALLER_ID): CarrierCall =>
  caller.dial({
    callId: crypto.randomUUID(),
    to,
    fromCallerId: from,
    ringTimeoutMs: 45_000,
    maxDurationMs: 60_000,
    receiveAudio: true,
  })

const newest = async (key: string): Promise<Call | undefined> =>
  (await server.json<{ data: Call[] }>('/agent/calls?limit=1', { key })).body.data[0]

/** Resolves with the newest call once it has this status. */
const untilStatus = (key: string, status: Call['status'], after?: string): Promise<Call | undefined> =>
  until(
    () => newest(key),
    (last) => last?.status === status && last.call_id !== after,
  )

/** Resolves once something is heard. */
async function hear({ events }: CarrierCall): Promise<boolean> {
  for await (const event of events)
    if (event.type === 'audio' && event.samples.some((sample) => Math.abs(sample) > 1000)) return true
  return false
}

test('a call to a number is answered by its agent, who speaks and hangs up', async () => {
  const incoming = call(NUMBER)
  expect(await hear(incoming)).toBe(true)
  expect(await incoming.ended).toMatchObject({ outcome: 'completed', endedBy: 'callee' })
  const ended = await untilStatus(keys.live, 'completed')
  expect(ended).toMatchObject({
    direction: 'inbound',
    to: NUMBER,
    from_caller_id: CALLER_ID,
    agent_id: 'front-desk',
    carrier: 'line',
    livemode: true,
    ended_by: 'agent',
  })
  expect(ended?.duration_seconds).toBeGreaterThan(0)
  const path = `/agent/calls/${ended?.call_id}`
  const transcript = await server.json<CallTranscript>(`${path}/transcript`, { key: keys.live })
  expect(transcript.body.turns).toMatchObject([
    { speaker: 'agent', text: 'Good morning, this is the clinic.' },
  ])
  expect((await server.fetch(`${path}/recording`, { key: keys.live })).status).toBe(200)
  // Nobody else sees it.
  expect((await server.fetch(path, { key: keys.other })).status).toBe(404)
  expect((await server.fetch(path, { key: keys.test })).status).toBe(404)
  const events = await server.context.database
    .selectFrom('events')
    .where('object_id', '=', ended?.call_id ?? '')
    .select('type')
    .orderBy('event_id')
    .execute()
  expect(events.map(({ type }) => type)).toEqual(['call.queued', 'call.in_progress', 'call.completed'])
})

test('a number in test mode belongs to test keys', async () => {
  await call(TEST_NUMBER).ended
  expect(await untilStatus(keys.test, 'completed')).toMatchObject({ to: TEST_NUMBER, livemode: false })
})

describe('a caller', () => {
  test('of a number that nobody has is told so, and nothing is written', async () => {
    const before = await newest(keys.live)
    expect(await call('+97714400000').ended).toMatchObject({ outcome: 'unreachable', sipStatus: 404 })
    expect(await newest(keys.live)).toEqual(before)
  })

  test('of a number whose agent does not exist hears that nobody answers', async () => {
    expect(await call(AGENTLESS).ended).toMatchObject({ outcome: 'no_answer', sipStatus: 480 })
  })

  test('of a number outside its hours hears that nobody answers, and nothing is written', async () => {
    const before = await newest(keys.live)
    expect(await call(CLOSED).ended).toMatchObject({ outcome: 'no_answer', sipStatus: 480 })
    expect(await newest(keys.live)).toEqual(before)
  })

  test('of a number with one channel hears that it is busy while another talks', async () => {
    const talking = call(NARROW)
    await hear(talking)
    expect(await call(NARROW).ended).toMatchObject({ outcome: 'busy', sipStatus: 486 })
    talking.hangUp()
    await talking.ended
    await until(
      () => server.json<{ data: Call[] }>('/agent/calls?status=in-progress', { key: keys.live }),
      ({ body }) => body.data.length === 0,
    )
  })

  test('who hangs up in the middle ends the call', async () => {
    const before = await newest(keys.live)
    const incoming = call(NUMBER)
    await hear(incoming)
    incoming.hangUp()
    const ended = await untilStatus(keys.live, 'completed', before?.call_id)
    expect(ended).toMatchObject({ ended_by: 'callee' })
  })

  test('hears that it is busy when every place is taken', async () => {
    const talking = [call(NUMBER), call(NUMBER)]
    await Promise.all(talking.map(hear))
    expect(await call(NUMBER).ended).toMatchObject({ outcome: 'busy', sipStatus: 486 })
    for (const one of talking) one.hangUp()
    await Promise.all(talking.map((one) => one.ended))
    await until(
      () => server.json<{ data: Call[] }>('/agent/calls?status=in-progress', { key: keys.live }),
      ({ body }) => body.data.length === 0,
    )
  })
})
