import { endpointEventSchema, type Id, LIMITS, type WebhookDelivery } from '@vaani/contracts'
import { type Receiver, startReceiver } from '@vaani/test-harness'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { writeEvent } from '../src/features/webhooks/write-event.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'
import { webhookActions } from './support/webhook-actions.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let server: TestServer
let receiver: Receiver
let key: string
let accountId: Id<'account'>
/** How far the server's clock is ahead of the real one. */
let aheadMs = 0
const clock = { nowMs: () => Date.now() + aheadMs }

beforeAll(async () => {
  server = await startTestServer({ clock, config: { callbackAllowCidrs: ['127.0.0.0/8'] } })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  receiver = await startReceiver()
  ;({ key, accountId } = await server.createAccount())
})
afterEach(() => receiver[Symbol.asyncDispose]())

const {
  api,
  createEndpoint,
  listDeliveries,
  readDelivery,
  readEndpoint,
  sendTest,
  untilDelivery,
  untilStatus,
  ...actions
} = webhookActions(() => ({ server, receiver, key }))

const route = (endpointId: string) => `/webhooks/endpoints/${endpointId}`
const eventsAt = (path: string) =>
  receiver.deliveries.filter((one) => one.path === path).map(({ event }) => event)
/** Creates an endpoint at `/others` that receives events about other endpoints. */
const createWatcher = () =>
  createEndpoint(`${receiver.url}/others`, ['webhook.endpoint_failing', 'webhook.endpoint_disabled'])

describe('endpoints', () => {
  test('have an exact limit in each mode, however many are created at once; a deleted one makes room', async () => {
    const room = 3
    const row = {
      account_id: accountId,
      livemode: false,
      url: receiver.url,
      events: ['call.queued' as const],
    }
    await server.context.database
      .insertInto('webhook_endpoints')
      .values(
        Array.from({ length: LIMITS.endpointsPerAccount - room }, () => ({
          ...row,
          endpoint_id: server.context.makeId('endpoint'),
          created_at: new Date(clock.nowMs()),
        })),
      )
      .execute()
    const create = () =>
      api<{ endpoint_id: string }>('/webhooks/endpoints', { url: receiver.url, events: ['call.queued'] })
    const answers = await Promise.all(Array.from({ length: room + 5 }, create))
    const [made, ...others] = answers.filter(({ status }) => status === 201)
    expect(others).toHaveLength(room - 1)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(5)
    for (const answer of refused)
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'state_conflict' } } })
    expect((await api(route(made?.body.endpoint_id ?? ''), undefined, 'DELETE')).status).toBe(204)
    expect((await create()).status).toBe(201)
    expect((await create()).status).toBe(409)
    key = await server.createKey(accountId, true, ['admin'])
    expect((await create()).status).toBe(201)
  })
})

test('an endpoint says until when its previous secret signs, even if no key opens its secrets', async () => {
  const { endpoint_id } = await createEndpoint()
  const rotate = await api<{ previous_secret_until: string }>(`${route(endpoint_id)}/rotate-secret`, {})
  const { previous_secret_until } = rotate.body
  const { database } = server.context
  await database
    .updateTable('webhook_secrets')
    .set({ sealed: Buffer.from('sealed by a key that was lost'), previous_sealed: Buffer.from('as well') })
    .where('owner_id', '=', endpoint_id)
    .execute()
  expect((await api(route(endpoint_id))).body).toMatchObject({ endpoint_id, previous_secret_until })
  aheadMs += 25 * HOUR_MS
  expect((await api(route(endpoint_id))).body).not.toHaveProperty('previous_secret_until')
})

describe('a deleted endpoint', () => {
  test('ends its pending deliveries, is not found any more, and keeps its delivery history', async () => {
    const { endpoint_id } = await createEndpoint()
    const delivered = await sendTest(endpoint_id)
    await untilStatus(delivered.delivery_id, 'delivered')
    receiver.answer(() => 500)
    const waiting = [await sendTest(endpoint_id), await sendTest(endpoint_id)]
    for (const { delivery_id } of waiting)
      await untilDelivery(delivery_id, ({ attempt_count }) => attempt_count === 1)
    expect((await readEndpoint(endpoint_id)).enabled).toBe(true)
    expect((await api(route(endpoint_id), undefined, 'DELETE')).status).toBe(204)

    for (const { delivery_id } of waiting)
      expect(await untilStatus(delivery_id, 'dead')).toMatchObject({
        dead_reason: 'endpoint_deleted',
        attempt_count: 1,
        next_attempt_at: null,
      })
    const { database } = server.context
    const secrets = database.selectFrom('webhook_secrets').where('owner_id', '=', endpoint_id)
    expect(await secrets.selectAll().execute()).toEqual([])
    const statuses = await Promise.all([
      api(route(endpoint_id)),
      api(route(endpoint_id), { enabled: true }, 'PATCH'),
      api(route(endpoint_id), undefined, 'DELETE'),
      api(`${route(endpoint_id)}/rotate-secret`, {}),
      api(`${route(endpoint_id)}/test`, { type: 'call.queued' }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect((await api<{ data: object[] }>('/webhooks/endpoints')).body.data).toEqual([])

    const ids = [delivered, ...waiting].map(({ delivery_id }) => delivery_id)
    const history = await listDeliveries(`?endpoint_id=${endpoint_id}`)
    expect(history.map(({ delivery_id }) => delivery_id)).toEqual(ids.toReversed())
    expect(await readDelivery(delivered.delivery_id)).toMatchObject({ url: `${receiver.url}/hooks` })
    const since = new Date(clock.nowMs() - HOUR_MS).toISOString()
    expect((await api('/webhooks/deliveries/recover', { since })).body).toEqual({ resent: 0 })
    for (const id of ids)
      expect((await api(`/webhooks/deliveries/${id}/resend`, undefined, 'POST')).status).toBe(409)
  })

  test('gets no event that is committed after its deletion', async () => {
    const { endpoint_id } = await createEndpoint()
    const { database, makeId } = server.context
    const object_id = makeId('call')
    await database.transaction().execute(async (tx) => {
      await writeEvent(tx, {
        event_id: makeId('event'),
        account_id: accountId,
        livemode: false,
        type: 'call.queued',
        object_id,
        body: '{}',
        created_at: new Date(clock.nowMs()),
      })
      expect((await api(route(endpoint_id), undefined, 'DELETE')).status).toBe(204)
    })
    await until(
      () => listDeliveries(`?object_id=${object_id}`),
      ([delivery]) => delivery?.dead_reason === 'endpoint_deleted',
    )
    expect(receiver.deliveries).toEqual([])
  })
})

describe('an endpoint that answers 410', () => {
  test('is disabled at once with a reason and time, and the others get an event', async () => {
    await createWatcher()
    const { endpoint_id } = await createEndpoint(`${receiver.url}/gone`)
    receiver.answer(({ path }) => (path === '/gone' ? 410 : 204))
    const { delivery_id } = await sendTest(endpoint_id)
    expect(await untilStatus(delivery_id, 'dead')).toMatchObject({ dead_reason: 'gone' })
    const disabled = await until(
      () => readEndpoint(endpoint_id),
      ({ enabled }) => !enabled,
    )
    expect(disabled).toMatchObject({ disabled_reason: 'gone', disabled_at: expect.any(String) })

    const [event] = await until(
      async () => eventsAt('/others'),
      (all) => all.length > 0,
    )
    expect(endpointEventSchema.parse(event)).toEqual(event)
    expect(event).toMatchObject({ type: 'webhook.endpoint_disabled', data: disabled })
    // The endpoint gets no event about itself, although it subscribes to every type.
    expect(eventsAt('/gone')).toHaveLength(1)
    expect(JSON.stringify(event)).not.toContain('whsec_')

    const enabled = await api(route(endpoint_id), { enabled: true }, 'PATCH')
    expect(enabled.body).toMatchObject({
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
    })
  })

  test('stays enabled if its URL has changed since', async () => {
    const { endpoint_id } = await createEndpoint(`${receiver.url}/before`)
    let answer = (_: number) => {}
    receiver.answer(({ path }) =>
      path === '/before' ? (response) => (answer = (status) => response.writeHead(status).end()) : 204,
    )
    const { delivery_id } = await sendTest(endpoint_id)
    await until(
      async () => receiver.underWay('/before'),
      (count) => count === 1,
    )
    await api(route(endpoint_id), { url: `${receiver.url}/after` }, 'PATCH')
    answer(410)
    await untilStatus(delivery_id, 'dead')
    await untilStatus((await sendTest(endpoint_id)).delivery_id, 'delivered')
    expect(await readEndpoint(endpoint_id)).toMatchObject({ enabled: true, failing_since: null })
    // The history shows the URL that the delivery was sent to.
    expect((await readDelivery(delivery_id)).url).toBe(`${receiver.url}/before`)
    expect(eventsAt('/after')).toHaveLength(1)
  })
})

describe('an endpoint that keeps failing', () => {
  const fail = async (endpointId: string): Promise<WebhookDelivery> => {
    const sent = await sendTest(endpointId)
    const read = () => {
      // After earlier failures, the endpoint may not be tried for minutes.
      aheadMs += 10_000
      return readDelivery(sent.delivery_id)
    }
    await until(read, ({ attempt_count }) => attempt_count > 0)
    return sent
  }
  const eventTypes = () => eventsAt('/others').map(({ type }) => type)

  test('triggers a warning after three days and is disabled after five, each with an event to the others', async () => {
    await createWatcher()
    const { endpoint_id } = await createEndpoint(`${receiver.url}/failing`)
    receiver.answer(({ path }) => (path === '/failing' ? 500 : 204))
    await fail(endpoint_id)
    const { failing_since } = await until(
      () => readEndpoint(endpoint_id),
      (endpoint) => endpoint.failing_since !== null,
    )
    aheadMs += 2.9 * DAY_MS
    await fail(endpoint_id)
    aheadMs += 0.2 * DAY_MS
    await fail(endpoint_id)
    await until(
      async () => eventTypes(),
      (types) => types.length === 1,
    )
    expect(eventTypes()).toEqual(['webhook.endpoint_failing'])
    expect(await readEndpoint(endpoint_id)).toMatchObject({ enabled: true, failing_since })
    aheadMs += 2 * DAY_MS
    // The retry of an earlier delivery may disable the endpoint first; then this request is rejected.
    await api(`${route(endpoint_id)}/test`, { type: 'call.completed' })
    expect(
      await until(
        () => readEndpoint(endpoint_id),
        ({ enabled }) => !enabled,
      ),
    ).toMatchObject({ disabled_reason: 'failing', failing_since })
    await until(
      async () => eventTypes(),
      (types) => types.length === 2,
    )
    expect(eventTypes()).toEqual(['webhook.endpoint_failing', 'webhook.endpoint_disabled'])

    // Enabling it again starts over.
    await api(route(endpoint_id), { enabled: true }, 'PATCH')
    await fail(endpoint_id)
    await until(
      () => readEndpoint(endpoint_id),
      (endpoint) => endpoint.failing_since !== null && endpoint.failing_since !== failing_since,
    )
  })

  test('starts over after a success in between', async () => {
    await createWatcher()
    const { endpoint_id } = await createEndpoint(`${receiver.url}/failing`)
    let status = 500
    receiver.answer(({ path }) => (path === '/failing' ? status : 204))
    await fail(endpoint_id)
    aheadMs += 2.9 * DAY_MS
    status = 200
    await untilStatus((await sendTest(endpoint_id)).delivery_id, 'delivered')
    await until(
      () => readEndpoint(endpoint_id),
      ({ failing_since }) => failing_since === null,
    )
    status = 500
    aheadMs += 3 * DAY_MS
    await fail(endpoint_id)
    await until(
      () => readEndpoint(endpoint_id),
      ({ failing_since }) => failing_since !== null,
    )
    expect(eventTypes()).toEqual([])
  })
})

describe('the list of deliveries', () => {
  test('is filtered by endpoint, type, object, status and time, alone and combined', async () => {
    const first = await createEndpoint(`${receiver.url}/first`)
    const second = await createEndpoint(`${receiver.url}/second`, ['call.queued'])
    receiver.answer(({ path }) => (path === '/second' ? 400 : 204))
    const later = new Date(clock.nowMs() + 100 * HOUR_MS).toISOString()
    const callId = await actions.place({ scheduled_at: later })
    await actions.place({ scheduled_at: later })
    const all = await until(
      () => listDeliveries(),
      (found) => found.length === 4 && found.every(({ attempt_count }) => attempt_count === 1),
    )
    const between = new Date(clock.nowMs() + 1).toISOString()
    aheadMs += 2
    const test = await sendTest(first.endpoint_id, 'verification.approved')
    await untilStatus(test.delivery_id, 'delivered')
    const idsOf = async (query: Record<string, string>) =>
      (await listDeliveries(`?${new URLSearchParams(query)}`)).map(({ delivery_id }) => delivery_id)
    const idsWhere = (matches: (delivery: WebhookDelivery) => boolean) =>
      [test, ...all].filter(matches).map(({ delivery_id }) => delivery_id)

    expect(await idsOf({})).toEqual(idsWhere(() => true))
    expect(await idsOf({ endpoint_id: second.endpoint_id })).toEqual(
      idsWhere(({ endpoint_id }) => endpoint_id === second.endpoint_id),
    )
    expect(await idsOf({ event_type: 'call.queued' })).toEqual(
      idsWhere(({ event_type }) => event_type === 'call.queued'),
    )
    expect(await idsOf({ object_id: callId })).toEqual(idsWhere(({ object_id }) => object_id === callId))
    expect(await idsOf({ object_id: callId, status: 'pending' })).toEqual(
      idsWhere(({ object_id, endpoint_id }) => object_id === callId && endpoint_id === second.endpoint_id),
    )
    const event_id = all.find(({ object_id }) => object_id === callId)?.event_id ?? ''
    expect(await idsOf({ event_id })).toEqual(idsWhere((delivery) => delivery.event_id === event_id))
    expect(await idsOf({ event_id, endpoint_id: first.endpoint_id, status: 'delivered' })).toHaveLength(1)
    expect(await idsOf({ event_id, object_id: callId, event_type: 'call.queued' })).toHaveLength(2)
    expect(await idsOf({ event_id: `evt_${'0'.repeat(26)}` })).toEqual([])
    const { key: stranger } = await server.createAccount()
    const { body: others } = await server.json(`/webhooks/deliveries?event_id=${event_id}`, { key: stranger })
    expect(others).toMatchObject({ data: [] })
    expect(await idsOf({ created_after: between })).toEqual([test.delivery_id])
    expect(await idsOf({ created_before: between })).toEqual(
      idsWhere(({ delivery_id }) => delivery_id !== test.delivery_id),
    )
    expect(await idsOf({ created_before: '0001-01-01T00:00:00Z' })).toEqual([])
    expect(await idsOf({ endpoint_id: second.endpoint_id, event_type: 'call.failed' })).toEqual([])
    for (const query of ['created_after=yesterday', 'event_type=call.lost', 'object=1'])
      expect((await api(`/webhooks/deliveries?${query}`)).status).toBe(400)
  })

  test('continues after its cursor, across pending and ended deliveries', async () => {
    const { endpoint_id } = await createEndpoint()
    const sent: string[] = []
    for (let index = 0; index < 5; index++) {
      receiver.answer(() => (index % 2 === 0 ? 400 : 204))
      const { delivery_id } = await sendTest(endpoint_id)
      await untilDelivery(delivery_id, ({ attempt_count }) => attempt_count === 1)
      sent.unshift(delivery_id)
    }
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? '?limit=2' : `?limit=2&cursor=${cursor}`
      const page = await api<{ data: WebhookDelivery[]; next_cursor: string | null }>(
        `/webhooks/deliveries${query}`,
      )
      seen.push(...page.body.data.map(({ delivery_id }) => delivery_id))
      cursor = page.body.next_cursor
    }
    expect(seen).toEqual(sent)
  })
})
