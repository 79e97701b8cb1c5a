import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '@vaani/contracts'
import { createSoftphone, type Softphone } from '@vaani/telephony-sip'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

let server: TestServer
let folder: string
let phone: Softphone
let keys: { live: string; test: string }

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-carriers-'))
  // A carrier of an operator: the loopback phone under a name of its own.
  const telephony = pathToFileURL(
    path.resolve(import.meta.dirname, '../../../packages/telephony/src/index.ts'),
  )
  await writeFile(
    path.join(folder, 'trunk.mjs'),
    `import { createLoopbackCarrier } from ${JSON.stringify(telephony.href)}
     export default (options) => ({ ...createLoopbackCarrier(options), name: 'trunk' })`,
  )
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
        trunk: { type: 'module', module: './trunk.mjs', options: { frameIntervalMs: 2 } },
      },
      test: ['simulator'],
      live: [
        { carrier: 'line', prefixes: ['+97798', '+1500555'] },
        { carrier: 'trunk', prefixes: ['+977'] },
      ],
    }),
  )
  server = await startTestServer({ config: { carriersFile } })
  const { accountId } = await server.createAccount()
  keys = { live: await server.createKey(accountId, true), test: await server.createKey(accountId, false) }
  const body = { language: 'en-US', voice: 'nova', name: 'Mine', greeting: 'Hi.' }
  for (const key of Object.values(keys)) await server.json('/admin/agents/mine', { method: 'PUT', body, key })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await phone.close()
  await rm(folder, { recursive: true, force: true })
})

const place = (key: string, to: string) =>
  server.json<Call>('/agent/calls', { body: { to, agent_id: 'mine' }, key })

test.each([
  ['live', '+97714412345', 'trunk'],
  ['live', '+9779812345678', 'line'],
  ['test', '+9779812345678', 'simulator'],
] as const)('a %s call is rung by the carrier of its mode', async (mode, to, carrier) => {
  const { status, body } = await place(keys[mode], to)
  expect({ status, carrier: body.carrier }).toEqual({ status: 201, carrier })
  const ended = await until(
    async () => (await server.json<Call>(`/agent/calls/${body.call_id}`, { key: keys[mode] })).body,
    (call) => call.status === 'completed' || call.status === 'failed',
  )
  expect(ended).toMatchObject({ status: 'completed', carrier })
})

test.each([
  ['busy', '+15005550001', 'busy'],
  ['rejected', '+15005550002', 'rejected'],
  ['unreachable', '+15005550006', 'unreachable'],
])('a number on a line that is %s fails so', async (_does, to, reason) => {
  const { body } = await place(keys.live, to)
  const ended = await until(
    async () => (await server.json<Call>(`/agent/calls/${body.call_id}`, { key: keys.live })).body,
    (call) => call.status === 'completed' || call.status === 'failed',
  )
  expect(ended).toMatchObject({ status: 'failed', carrier: 'line', failure_reason: reason })
})

test('a number that no carrier of the mode rings is refused, and nothing is written', async () => {
  const { status, body } = await place(keys.live, '+14155550123')
  expect({ status, body }).toMatchObject({ status: 400, body: { error: { param: 'to' } } })
  expect((await place(keys.test, '+14155550123')).status).toBe(201)
  const calls = await server.json<{ data: Call[] }>('/agent/calls', { key: keys.live })
  expect(calls.body.data.map(({ to }) => to)).not.toContain('+14155550123')
})
