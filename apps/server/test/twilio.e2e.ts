/** Calls on lines of `"type": "twilio"`, `"telnyx"` and `"vonage"`, whose providers are peers on this machine. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Call, CallTranscript } from '@vaani/contracts'
import { mulaw } from '@vaani/pcm-audio'
import type { VaultKeys } from '@vaani/service-kit/vault/vault'
import { createTestDatabase } from '@vaani/test-services'
import {
  type CallProviderPeer,
  type Deliver,
  inTurn,
  PEER_ACCOUNTS,
  PEER_NUMBERS,
  startCallProviderPeer,
} from '@vaani/test-services/call-provider'
import { until } from '@vaani/test-services/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCarriers } from '../src/features/calls/carriers/carriers-file.ts'
import { freePort } from './support/redis-process.ts'
import { seriesOf } from './support/series.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'
import { migrateUrl, startTestServer, type TestServer } from './support/test-server.ts'

const CALLER_ID = '+9779800000001'
const GREETING = 'Good morning, this is the clinic.'
const LINES = ['line', 'telnyx', 'vonage']
const isOver = ({ status }: Call) => status === 'completed' || status === 'failed'

const fromMulaw = (bytes: Buffer): Int16Array => {
  const samples = new Int16Array(bytes.length)
  mulaw.toInt16(bytes, samples)
  return samples
}
const fromPcm = (bytes: Buffer): Int16Array =>
  Int16Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(2 * index))

/** Members of an entry whose provider is the peer. */
async function reachable(peer: CallProviderPeer) {
  const port = await freePort()
  return {
    api_url: peer.url,
    caller_id: CALLER_ID,
    public_url: `http://127.0.0.1:${port}/calls`,
    listen_port: port,
  }
}

interface OtherPeers {
  readonly telnyx: CallProviderPeer
  readonly vonage: CallProviderPeer
}

/** Writes a file with a line of Twilio, and of the other providers if there are peers for them. */
async function writeCarriers(
  folder: string,
  peer: CallProviderPeer,
  { others, numbers = [] }: { others?: OtherPeers; numbers?: readonly object[] } = {},
) {
  const { accountSid, authToken } = PEER_ACCOUNTS.twilio
  await writeFile(path.join(folder, 'token'), `${authToken}\n`)
  const line = {
    type: 'twilio',
    account_sid: accountSid,
    auth_token_file: './token',
    ...(await reachable(peer)),
  }
  const carriersFile = path.join(folder, 'carriers.json')
  const carriers = {
    simulator: { type: 'simulator' },
    line,
    ...(others && {
      telnyx: await writeTelnyx(folder, others.telnyx),
      vonage: await writeVonage(folder, others.vonage),
    }),
  }
  const live = [
    { carrier: 'line', prefixes: ['+977'] },
    ...(others
      ? [
          { carrier: 'telnyx', prefixes: ['+91'] },
          { carrier: 'vonage', prefixes: ['+44'] },
        ]
      : []),
  ]
  await writeFile(
    carriersFile,
    JSON.stringify({ carriers, hours: 'any', notices: 'off', test: ['simulator'], live, numbers }),
  )
  return carriersFile
}

async function writeTelnyx(folder: string, peer: CallProviderPeer) {
  const { accountSid, applicationSid, apiKey, publicKey } = PEER_ACCOUNTS.telnyx
  await writeFile(path.join(folder, 'key'), `${apiKey}\n`)
  return {
    type: 'telnyx',
    account_sid: accountSid,
    application_sid: applicationSid,
    api_key_file: './key',
    public_key: publicKey,
    ...(await reachable(peer)),
  }
}

async function writeVonage(folder: string, peer: CallProviderPeer) {
  const { applicationId, privateKey, signatureSecret } = PEER_ACCOUNTS.vonage
  await writeFile(path.join(folder, 'private.key'), privateKey)
  await writeFile(path.join(folder, 'secret'), `${signatureSecret}\n`)
  return {
    type: 'vonage',
    application_id: applicationId,
    private_key_file: './private.key',
    signature_secret_file: './secret',
    ...(await reachable(peer)),
  }
}

describe('a server with lines of providers', () => {
  let server: TestServer
  let peer: CallProviderPeer
  let others: OtherPeers
  let folder: string
  let key: string
  let deliver: Deliver = inTurn()

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vaani-twilio-'))
    peer = await startCallProviderPeer({ deliver: (send, isFinal) => deliver(send, isFinal) })
    others = {
      telnyx: await startCallProviderPeer({ provider: 'telnyx' }),
      vonage: await startCallProviderPeer({ provider: 'vonage' }),
    }
    const carriersFile = await writeCarriers(folder, peer, { others })
    server = await startTestServer({ config: { carriersFile, metricsPort: 0 } })
    const { accountId } = await server.createAccount()
    key = await server.createKey(accountId, true)
    const body = { language: 'en-US', voice: 'nova', name: 'Mine', greeting: GREETING }
    await server.json('/admin/agents/mine', { method: 'PUT', body, key })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await peer.close()
    await others.telnyx.close()
    await others.vonage.close()
    await rm(folder, { recursive: true, force: true })
  })

  const place = async (to: string): Promise<Call> => {
    const placed = await server.json<Call>('/agent/calls', { body: { to, agent_id: 'mine' }, key })
    expect(placed).toMatchObject({ status: 201 })
    return placed.body
  }
  const read = async (callId: string) => (await server.json<Call>(`/agent/calls/${callId}`, { key })).body
  const untilOver = (callId: string) => until(() => read(callId), isOver)
  const call = async (to: string) => untilOver((await place(to)).call_id)

  test('knows that the providers take its credentials', async () => {
    const ready = await until(
      () => server.json<{ checks: Record<string, string> }>('/readyz', { key: null }),
      ({ body: { checks } }) => LINES.every((name) => (checks[`carrier.${name}`] ?? 'unknown') !== 'unknown'),
    )
    for (const name of LINES) expect(ready.body.checks).toMatchObject({ [`carrier.${name}`]: 'up' })
    expect(seriesOf(await server.scrape(), 'vaani_carrier_up')).toEqual({
      'carrier="line"': 1,
      'carrier="telnyx"': 1,
      'carrier="vonage"': 1,
    })
  })

  test.each([
    ['line', PEER_NUMBERS.answers],
    ['telnyx', '+919812345678'],
    ['vonage', '+447400123456'],
  ] as const)('calls on %s, is heard, and keeps the transcript and the recording', async (carrier, to) => {
    const ended = await call(to)
    expect(ended).toMatchObject({ status: 'completed', ended_by: 'agent', carrier, livemode: true })
    expect(ended.duration_seconds).toBeGreaterThan(0)
    const placed = (carrier === 'line' ? peer : others[carrier]).calls.at(-1)
    expect(placed?.parameters.get('From')).toBe(CALLER_ID)
    expect(placed?.isOver).toBe(true)

    const { heard = Buffer.alloc(0) } = placed ?? {}
    const samples = carrier === 'vonage' ? fromPcm(heard) : fromMulaw(heard)
    expect(samples.length).toBeGreaterThan(8000)
    expect(Math.max(...samples)).toBeGreaterThan(1000)

    const route = `/agent/calls/${ended.call_id}`
    const { body } = await server.json<CallTranscript>(`${route}/transcript`, { key })
    expect(body.turns).toMatchObject([{ speaker: 'agent', text: GREETING }])
    const recording = await server.fetch(`${route}/recording`, { key })
    expect(recording.status).toBe(200)
    expect((await recording.arrayBuffer()).byteLength).toBeGreaterThan(16_000)
  })

  test.each([
    ['busy', PEER_NUMBERS.busy, 486],
    ['rejected', PEER_NUMBERS.rejects, 603],
    ['unreachable', PEER_NUMBERS.unreachable, 404],
  ])('says that a number is %s, with the status of the network', async (reason, to, sipStatus) => {
    expect(await call(to)).toMatchObject({ status: 'failed', failure_reason: reason, sip_status: sipStatus })
  })

  test.each<[string, () => Deliver]>([
    ['lost', () => () => undefined],
    [
      'repeated',
      () => {
        const once = inTurn()
        return (send, isFinal) => {
          once(send, isFinal)
          once(send, isFinal)
        }
      },
    ],
  ])('calls once, and ends as it should, when reports are %s', async (_name, wrongly) => {
    const before = peer.creationsAsked()
    deliver = wrongly()
    const ended = await call(PEER_NUMBERS.answers)
    deliver = inTurn()
    expect(ended).toMatchObject({ status: 'completed', ended_by: 'agent' })
    expect(peer.creationsAsked()).toBe(before + 1)
  })

  test('refuses a report with a wrong signature, and the call goes on', async () => {
    const before = peer.calls.length
    const { call_id } = await place(PEER_NUMBERS.answers)
    const placed = await until(
      () => peer.calls[before],
      (one) => one?.status === 'in-progress',
    )
    const response = await fetch(placed?.parameters.get('StatusCallback') ?? '', {
      method: 'POST',
      headers: { 'x-twilio-signature': 'forged' },
      body: new URLSearchParams({
        AccountSid: PEER_ACCOUNTS.twilio.accountSid,
        CallSid: placed?.sid ?? '',
        CallStatus: 'completed',
        SequenceNumber: '9',
      }),
    })
    expect(response.status).toBe(403)
    expect(await untilOver(call_id)).toMatchObject({ status: 'completed', ended_by: 'agent' })
  })

  test('dials nothing that its routes do not list', async () => {
    const before = peer.creationsAsked()
    const body = { to: '+14155550123', agent_id: 'mine' }
    expect((await server.json('/agent/calls', { body, key })).status).toBe(400)
    expect(peer.creationsAsked()).toBe(before)
  })
})

describe('a number of Twilio', () => {
  const NUMBER = '+97714412345'
  const PARTIES = { from: '+9779812345678', to: NUMBER }
  let api: TestServer
  let server: TestServer
  let peer: CallProviderPeer
  let folder: string
  let key: string
  let webhookUrl: string

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vaani-twilio-'))
    peer = await startCallProviderPeer()
    const shared = { encryptionKeys: [randomBytes(32)] satisfies VaultKeys }
    api = await startTestServer({ config: { ...shared, roles: new Set(['api']) } })
    const { accountId } = await api.createAccount()
    key = await api.createKey(accountId, true)
    const body = { language: 'en-US', voice: 'nova', name: 'Mine', greeting: GREETING }
    await api.json('/admin/agents/front-desk', { method: 'PUT', body, key })
    const numbers = [{ number: NUMBER, carrier: 'line', account: accountId, agent: 'front-desk' }]
    const carriersFile = await writeCarriers(folder, peer, { numbers })
    const { carriers } = await readCarriers(carriersFile)
    const line = carriers['line']
    webhookUrl = line?.type === 'twilio' ? `${line.public_url}/incoming` : ''
    const config = { ...shared, carriersFile, databaseUrl: api.databaseUrl }
    server = await startTestServer({ config, key: api.key })
    await until(
      () => server.json<{ checks: Record<string, string> }>('/readyz', { key: null }),
      ({ body: { checks } }) => checks['carrier.line'] === 'up',
    )
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await api?.[Symbol.asyncDispose]()
    await peer.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('is answered by its agent, who speaks and hangs up', async () => {
    const caller = await peer.callIn(webhookUrl, PARTIES)
    const calls = await until(
      () => server.json<{ data: Call[] }>('/agent/calls?limit=1', { key }),
      ({ body }) => body.data[0]?.status === 'completed',
    )
    expect(caller.isOver).toBe(true)
    expect(Math.max(...fromMulaw(caller.heard))).toBeGreaterThan(1000)
    const [ended] = calls.body.data
    expect(ended).toMatchObject({
      direction: 'inbound',
      to: NUMBER,
      from_caller_id: PARTIES.from,
      agent_id: 'front-desk',
      carrier: 'line',
      livemode: true,
      ended_by: 'agent',
    })
    const route = `/agent/calls/${ended?.call_id}`
    const { body } = await server.json<CallTranscript>(`${route}/transcript`, { key })
    expect(body.turns).toMatchObject([{ speaker: 'agent', text: GREETING }])
    expect((await server.fetch(`${route}/recording`, { key })).status).toBe(200)
    const events = await server.context.database
      .selectFrom('events')
      .where('object_id', '=', ended?.call_id ?? '')
      .select('type')
      .orderBy('event_id')
      .execute()
    expect(events.map(({ type }) => type)).toEqual(['call.queued', 'call.in_progress', 'call.completed'])
  })

  test('that nobody has is refused, and nothing is written', async () => {
    const count = async () => (await server.json<{ data: Call[] }>('/agent/calls', { key })).body.data.length
    const before = await count()
    const caller = await peer.callIn(webhookUrl, { ...PARTIES, to: '+97714400000' })
    expect(caller.refusal).toBe('rejected')
    expect(await count()).toBe(before)
  })
})

describe.concurrent('kill -9', () => {
  const KEY = 'sk_live_twilio_0123456789abcdef'

  async function api<Body>(server: ServerProcess, route: string, body?: object): Promise<Body> {
    const response = await fetch(server.url + route, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(response.ok).toBe(true)
    return response.json() as Promise<Body>
  }

  test.for([
    ['ringing', PEER_NUMBERS.neverAnswers],
    ['in-progress', PEER_NUMBERS.answers],
  ] as const)(
    'while the call is %s: it ends as interrupted, and nobody is rung again',
    async ([status, to], { expect }) => {
      await using held = new AsyncDisposableStack()
      const database = held.use(
        await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } }),
      )
      const folder = await mkdtemp(path.join(tmpdir(), 'vaani-twilio-'))
      held.defer(() => rm(folder, { recursive: true, force: true }))
      const peer = await startCallProviderPeer()
      held.defer(() => peer.close())
      const environment = {
        DATABASE_URL: database.url,
        VAANI_DATA_DIR: folder,
        VAANI_CARRIERS_FILE: await writeCarriers(folder, peer),
        VAANI_BOOTSTRAP_API_KEY: KEY,
      }
      const start = async () => {
        const server = await startServerProcess(environment)
        held.defer(async () => void (await server.kill('SIGKILL')))
        return server
      }

      const first = await start()
      const { call_id } = await api<Call>(first, '/agent/calls', {
        to,
        agent_id: 'reminder',
        language: 'en-US',
      })
      await until(
        () => peer.calls[0]?.status,
        (now) => now === status,
      )
      await first.kill('SIGKILL')
      // Its media is gone, and no instruction follows.
      if (status === 'in-progress')
        await until(
          () => peer.calls[0]?.isOver,
          (isOverThere) => isOverThere === true,
        )
      const second = await start()
      const ended = await until(() => api<Call>(second, `/agent/calls/${call_id}`), isOver)
      expect(ended).toMatchObject({ status: 'failed', failure_reason: 'interrupted' })
      expect(peer.creationsAsked()).toBe(1)
      // A call that rings, or whose media hangs, is ended by the provider.
      const limits = ['Timeout', 'TimeLimit'].map((name) => Number(peer.calls[0]?.parameters.get(name)))
      for (const seconds of limits) expect(seconds).toBeGreaterThan(0)
    },
  )
})
