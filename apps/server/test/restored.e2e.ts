import type { Call, WebhookDelivery, WebhookEndpoint } from '@vaani/contracts'
import { createSimulatorCarrier } from '@vaani/telephony-sip/simulator'
import { startReceiver } from '@vaani/test-harness'
import { until } from '@vaani/test-services/until'
import { expect, test } from 'vitest'
import { UNLIMITED } from './support/known-fields.ts'
import { query } from './support/query.ts'
import { backUpBusy, configOf, createMigrated, restoreBeside } from './support/restored-database.ts'
import { runToEnd } from './support/run-to-end.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const CALL = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }
/** Of a busy server, three at a time. */
const CALLS = 20
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString()

/** A simulator that notes the numbers it dials. */
function createNotingPhone() {
  const phone = createSimulatorCarrier({ frameIntervalMs: 2 })
  const dialled: string[] = []
  const dial: typeof phone.dial = (request) => {
    dialled.push(request.to)
    return phone.dial(request)
  }
  return { dialled, createSimulator: () => ({ ...phone, dial }) }
}

test('after a restore nobody is called twice, and a webhook that is sent again has the same id', async () => {
  await using receiver = await startReceiver()
  await using database = await createMigrated()
  const config = configOf(database)
  const { key, ids } = await (async () => {
    await using api = await startTestServer({ config: { ...config, roles: new Set(['api']) } })
    await api.json<WebhookEndpoint>('/webhooks/endpoints', {
      body: { url: `${receiver.url}/hooks`, events: ['call.queued', 'call.completed', 'call.failed'] },
    })
    const place = async (more: object) => {
      const placed = await api.json<Call>('/agent/calls', { body: { ...CALL, ...more } })
      return placed.body.call_id
    }
    return { key: api.key, ids: [await place({}), await place({ scheduled_at: TOMORROW })] }
  })()
  const [due = '', scheduled = ''] = ids
  await using restored = await restoreBeside(database.url)
  const eventsOf = (callId: string) =>
    receiver.deliveries
      .filter(({ event }) => 'call_id' in event.data && event.data.call_id === callId)
      .map(({ headers, event }) => ({ id: headers['webhook-id'], type: event.type }))

  const before = createNotingPhone()
  {
    await using _ = await startTestServer({ config, key, createSimulator: before.createSimulator })
    await until(
      async () => eventsOf(due),
      (events) => events.some(({ type }) => type === 'call.completed'),
    )
    expect(before.dialled).toHaveLength(1)
  }
  const sent = eventsOf(due)

  const prepared = await runToEnd(['restored'], { DATABASE_URL: restored.url })
  expect(prepared).toMatchObject({
    code: 0,
    stdout: 'Calls that will end as interrupted instead of being dialled: 1\n',
    stderr: '',
  })
  const after = createNotingPhone()
  await using server = await startTestServer({
    config: { ...config, databaseUrl: restored.url },
    key,
    createSimulator: after.createSimulator,
  })
  await until(
    async () => eventsOf(due),
    (events) => events.some(({ type }) => type === 'call.failed'),
  )
  const read = async (callId: string) => (await server.json<Call>(`/agent/calls/${callId}`)).body
  expect(await read(due)).toMatchObject({ status: 'failed', failure_reason: 'interrupted' })
  expect(await read(scheduled)).toMatchObject({ status: 'queued' })
  expect(after.dialled).toEqual([])
  const again = eventsOf(due).slice(sent.length)
  const queued = sent.find(({ type }) => type === 'call.queued')
  expect(again.find(({ type }) => type === 'call.queued')).toEqual(queued)

  const running = await runToEnd(['restored'], { DATABASE_URL: restored.url })
  expect(running).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('a worker runs on this database'),
  })
})

test('webhooks that may have been delivered since the backup are held on request, until they are resent', async () => {
  await using receiver = await startReceiver()
  await using database = await createMigrated()
  const config = configOf(database)
  const place = async (server: TestServer) =>
    (await server.json<Call>('/agent/calls', { body: { ...CALL, scheduled_at: TOMORROW } })).body.call_id
  receiver.answer(() => 500)
  const { key, failedOnce } = await (async () => {
    await using server = await startTestServer({ config })
    const endpoint = { url: `${receiver.url}/hooks`, events: ['call.queued'] }
    await server.json<WebhookEndpoint>('/webhooks/endpoints', { body: endpoint })
    const failedOnce = await place(server)
    await receiver.waitFor('call.queued')
    return { key: server.key, failedOnce }
  })()
  const neverTried = await (async () => {
    await using api = await startTestServer({ config: { ...config, roles: new Set(['api']) }, key })
    return await place(api)
  })()
  await using restored = await restoreBeside(database.url)

  expect(await runToEnd(['restored', '--hold-webhooks'], { DATABASE_URL: restored.url })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Webhooks that are dead instead of being sent: 2\n'),
    stderr: '',
  })
  expect(await runToEnd(['restored', '--hold-webhooks'], { DATABASE_URL: restored.url })).toMatchObject({
    stdout: expect.stringContaining('Webhooks that are dead instead of being sent: 0\n'),
  })
  receiver.answer(() => 204)
  const tried = receiver.deliveries.length
  await using server = await startTestServer({ config: { ...config, databaseUrl: restored.url }, key })
  const list = async () => {
    const { body } = await server.json<{ data: WebhookDelivery[] }>('/webhooks/deliveries')
    return body.data.map(({ object_id, status, dead_reason }) => ({ object_id, status, dead_reason }))
  }
  const deadOf = (object_id: string) => ({ object_id, status: 'dead', dead_reason: 'restored' })
  expect(await list()).toEqual(expect.arrayContaining([deadOf(failedOnce), deadOf(neverTried)]))
  // A new event is sent; those that were held are not.
  const third = await place(server)
  await until(list, (all) =>
    all.some(({ object_id, status }) => object_id === third && status === 'delivered'),
  )
  expect(receiver.deliveries.slice(tried).map(({ event }) => event.data)).toMatchObject([{ call_id: third }])

  const since = new Date(Date.now() - 3_600_000).toISOString()
  const { body } = await server.json<{ resent: number }>('/webhooks/deliveries/recover', { body: { since } })
  expect(body.resent).toBe(2)
  await until(list, (all) => all.every(({ status }) => status === 'delivered'))
})

test('of a busy server that is restored from the middle of its work, nobody is called and no webhook is sent again', async () => {
  await using receiver = await startReceiver()
  await using database = await createMigrated()
  const config = { ...configOf(database), maxCalls: 3 }
  const stateOf = async (url: string) => {
    const [row] = await query<{ ended: number; waiting: number; undelivered: number }>(
      url,
      `select count(*) filter (where status in ('completed', 'failed'))::int as ended,
         count(*) filter (where status = 'queued')::int as waiting,
         (select count(*)::int from webhook_deliveries where status = 'pending') as undelivered
       from calls`,
    )
    return row ?? { ended: 0, waiting: 0, undelivered: 0 }
  }
  const isOver = (state: { ended: number; undelivered: number }) =>
    state.ended === CALLS && state.undelivered === 0

  const before = createNotingPhone()
  const { key, restored } = await (async () => {
    await using server = await startTestServer({ config, createSimulator: before.createSimulator })
    const { key } = await server.createAccount({ tier: 'enterprise', rateOverrides: UNLIMITED })
    await server.json<WebhookEndpoint>('/webhooks/endpoints', {
      key,
      body: { url: `${receiver.url}/hooks`, events: ['call.queued', 'call.completed', 'call.failed'] },
    })
    for (let number = 0; number < CALLS; number++) {
      const placed = await server.json('/agent/calls', {
        key,
        body: { ...CALL, to: `+97798123456${10 + number}` },
      })
      expect(placed.status).toBe(201)
    }
    await until(
      () => stateOf(database.url),
      ({ ended }) => ended >= 3,
    )
    const restored = await backUpBusy(database.url)
    // The server goes on to the end of its work.
    await until(() => stateOf(database.url), isOver)
    return { key, restored }
  })()
  await using _ = restored
  const atBackup = await stateOf(restored.url)
  expect(atBackup.waiting).toBeGreaterThan(0)
  expect(new Set(before.dialled).size).toBe(CALLS)
  const sent = new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id']))
  const tried = receiver.deliveries.length

  // As if half a minute had passed since the backup.
  await query(restored.url, 'update leases set expires_at = now()')
  const prepared = await runToEnd(['restored', '--hold-webhooks'], { DATABASE_URL: restored.url })
  expect(prepared).toMatchObject({ code: 0, stderr: '' })
  const after = createNotingPhone()
  await using _server = await startTestServer({
    config: { ...config, databaseUrl: restored.url },
    key,
    createSimulator: after.createSimulator,
  })
  await until(() => stateOf(restored.url), isOver)
  expect(after.dialled).toEqual([])
  const again = await until(
    () => receiver.deliveries.slice(tried),
    ({ length }) => length >= CALLS - atBackup.ended,
  )
  expect(again).toHaveLength(CALLS - atBackup.ended)
  for (const { headers, event } of again)
    expect([event.type, sent.has(headers['webhook-id'])]).toEqual(['call.failed', false])
})
