import {
  batchEventSchema,
  callEventSchema,
  documentEventSchema,
  endpointEventSchema,
  verificationEventSchema,
  WEBHOOK_EVENT_TYPES,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@vaani/contracts'
import type { Id } from '@vaani/contracts'
import { type Receiver, startReceiver } from '@vaani/test-harness'
import { createVerifier, sign } from '@vaani/webhook-verifier'
import { sql } from 'kysely'
import { afterEach, beforeAll, afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepOldWebhooks } from '../src/features/webhooks/sweep-old.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'
import { type DeliveryDetail, webhookActions } from './support/webhook-actions.ts'

const HOUR_MS = 3_600_000
const CALL_TYPES = ['call.queued', 'call.in_progress', 'call.completed']

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
  ;({ key, accountId } = await server.createAccount({
    rateOverrides: { place_call: { limit: 1000, period_seconds: 1 } },
  }))
})
afterEach(() => receiver[Symbol.asyncDispose]())

const {
  api,
  place,
  createEndpoint,
  listDeliveries,
  readDelivery,
  sendTest,
  untilReceived,
  untilDelivery,
  untilStatus,
} = webhookActions(() => ({ server, receiver, key }))

/** Returns an address that nothing listens on any more. */
async function closedUrl(): Promise<string> {
  const gone = await startReceiver()
  await gone[Symbol.asyncDispose]()
  return `${gone.url}/nobody`
}

/** Advances the clock to each attempt of a delivery until it is no longer pending. */
async function runOut(id: string): Promise<DeliveryDetail> {
  for (let attempts = 1; ; attempts++) {
    const delivery = await untilDelivery(
      id,
      (one) => one.attempt_count >= attempts || one.status !== 'pending',
    )
    if (delivery.status !== 'pending') return delivery
    aheadMs += Math.max(0, Date.parse(delivery.next_attempt_at ?? '') - clock.nowMs())
  }
}

describe('a call', () => {
  test('sends the endpoint each status, in order, signed so that our verifier and any other accept it', async () => {
    const { secret, endpoint_id } = await createEndpoint()
    const callId = await place({ metadata: { name: 'सीता' } })
    const received = await untilReceived(3)
    expect(received.map(({ event }) => event.type)).toEqual(CALL_TYPES)
    const verifier = createVerifier({ secrets: secret, clock: clock.nowMs })
    for (const { headers, body, event } of received) {
      expect(callEventSchema.parse(JSON.parse(body.toString()))).toEqual(event)
      expect(event.data).toMatchObject({ call_id: callId, metadata: { name: 'सीता' } })
      expect(await verifier.verify(body, headers)).toMatchObject({ ok: true, id: event.event_id })
      // The service's own header is enough by itself.
      const { 'x-service-signature': own, 'webhook-id': id } = headers
      expect(await verifier.verify(body, { 'x-service-signature': own })).toMatchObject({ ok: true })
      expect(own).toMatch(/^[0-9a-f]{64}$/)
      expect(id).toBe(event.event_id)
    }
    const deliveries = await until(
      () => listDeliveries(),
      (all) => all.length === 3 && all.every(({ status }) => status === 'delivered'),
    )
    for (const delivery of deliveries)
      expect(delivery).toMatchObject({ endpoint_id, attempt_count: 1, next_attempt_at: null, resent: false })
  })

  test('sends its events to the account’s call webhook, signed with the account’s secret', async () => {
    const { body } = await api<{ secret: string }>('/webhooks/rotate-secret', { overlap_hours: 0 })
    const updated = await api(
      `/admin/accounts/${accountId}`,
      { call_webhook_url: `${receiver.url}/calls` },
      'PATCH',
    )
    expect(updated.status).toBe(200)
    await place()
    const received = await untilReceived(3)
    const verifier = createVerifier({ secrets: body.secret, clock: clock.nowMs })
    for (const delivery of received) {
      expect(delivery.path).toBe('/calls')
      expect(await verifier.verify(delivery.body, delivery.headers)).toMatchObject({ ok: true })
    }
    const [latest] = await until(
      () => listDeliveries(),
      (all) => all.length === 3,
    )
    expect(latest).toMatchObject({ endpoint_id: null, url: `${receiver.url}/calls` })
  })

  test('sends each event once to a URL that is both call webhook and endpoint, and only subscribed types', async () => {
    const url = `${receiver.url}/same`
    await createEndpoint(url, CALL_TYPES)
    await createEndpoint(`${receiver.url}/ended`, ['call.completed'])
    await api('/webhooks/rotate-secret', {})
    await api(`/admin/accounts/${accountId}`, { call_webhook_url: url }, 'PATCH')
    await place()
    await untilReceived(4)
    const deliveries = await until(
      () => listDeliveries(),
      (all) => all.length === 4 && all.every(({ status }) => status === 'delivered'),
    )
    expect(
      deliveries.map((one) => [one.url && new URL(one.url).pathname, one.event_type]).toSorted(),
    ).toEqual([
      ['/ended', 'call.completed'],
      ['/same', 'call.completed'],
      ['/same', 'call.in_progress'],
      ['/same', 'call.queued'],
    ])
  })

  test('records failed attempts at a call webhook with an invalid URL, without holding up others', async () => {
    await api('/webhooks/rotate-secret', {})
    await createEndpoint()
    await server.context.database
      .updateTable('accounts')
      .set({ test_call_webhook_url: 'nowhere' })
      .where('account_id', '=', accountId)
      .execute()
    await place()
    await untilReceived(3)
    const [broken] = await until(
      async () =>
        (await listDeliveries()).filter(({ url, attempt_count }) => url === 'nowhere' && attempt_count === 1),
      (found) => found.length > 0,
    )
    const tried = await readDelivery(broken?.delivery_id ?? '')
    expect(tried.attempts[0]).toMatchObject({ status: null, error: 'destination_refused' })
  })

  test('keeps the order of its events when the first is rejected for a while', async () => {
    await createEndpoint()
    const seen: [string, number][] = []
    receiver.answer(({ event }) => {
      const status = event.type === 'call.queued' && seen.length < 2 ? 500 : 200
      seen.push([event.type, status])
      return status
    })
    await place()
    const [first] = await until(
      () => listDeliveries(),
      (all) => all.length === 3,
    ).then((all) => all.toReversed())
    await untilDelivery(first?.delivery_id ?? '', ({ attempt_count }) => attempt_count === 1)
    expect(seen).toEqual([['call.queued', 500]])
    await runOut(first?.delivery_id ?? '')
    await until(
      async () => seen,
      (all) => all.length === 5,
    )
    expect(seen).toEqual([
      ['call.queued', 500],
      ['call.queued', 500],
      ['call.queued', 200],
      ['call.in_progress', 200],
      ['call.completed', 200],
    ])
  })
})

describe('attempts', () => {
  test('follow the schedule with one id and a fresh timestamp and signature each, then end as dead', async () => {
    const { endpoint_id, secret } = await createEndpoint()
    receiver.answer(() => 500)
    const { delivery_id, event_id } = await sendTest(endpoint_id)
    const over = await runOut(delivery_id)
    expect(over).toMatchObject({ status: 'dead', next_attempt_at: null })
    expect(['attempts_exhausted', 'window_expired']).toContain(over.dead_reason)
    const startMs = Date.parse(over.attempts[0]?.at ?? '')
    const seconds = over.attempts.map(({ at }) => (Date.parse(at) - startMs) / 1000)
    const decided = [0, 30, 150, 750, 2550, 6150, 13_350, 27_750, 56_550, 83_550]
    seconds.forEach((at, index) => {
      expect(at).toBeGreaterThanOrEqual((decided[index] ?? 0) * 0.9)
      expect(at).toBeLessThan(Math.min((decided[index] ?? 0) * 1.1 + 60, 86_400))
    })
    expect(receiver.deliveries).toHaveLength(over.attempts.length)
    expect(new Set(receiver.deliveries.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([event_id]),
    )
    expect(new Set(receiver.deliveries.map(({ headers }) => headers['webhook-signature'])).size).toBe(
      over.attempts.length,
    )
    for (const { headers, body } of receiver.deliveries)
      expect(headers).toMatchObject(
        await sign(body, {
          secrets: secret,
          id: event_id,
          timestampSeconds: Number(headers['webhook-timestamp']),
        }),
      )
  })

  test('stop at 410, follow no redirect, and wait for Retry-After up to twice the step', async () => {
    const tryOnce = async (answer: Parameters<Receiver['answer']>[0]) => {
      const { endpoint_id } = await createEndpoint()
      receiver.answer(answer)
      const { delivery_id } = await sendTest(endpoint_id)
      return untilDelivery(delivery_id, ({ attempt_count }) => attempt_count === 1)
    }
    expect(await tryOnce(() => 410)).toMatchObject({ status: 'dead', dead_reason: 'gone' })

    const location = `${receiver.url}/elsewhere`
    const moved = await tryOnce(() => (response) => response.writeHead(302, { location }).end())
    expect(moved.attempts[0]).toMatchObject({ status: 302 })
    expect(receiver.deliveries.every(({ path }) => path === '/hooks')).toBe(true)

    for (const [retryAfter, least, most] of [
      ['45', 45, 50],
      ['99999999', 60, 65],
      [new Date(clock.nowMs() + 100 * HOUR_MS).toUTCString(), 60, 65],
    ] as const) {
      const busy = await tryOnce(
        () => (response) => response.writeHead(503, { 'retry-after': retryAfter }).end(),
      )
      const waitMs = Date.parse(busy.next_attempt_at ?? '') - Date.parse(busy.attempts[0]?.at ?? '')
      expect(waitMs).toBeGreaterThanOrEqual(least * 1000)
      expect(waitMs).toBeLessThan(most * 1000)
    }
  })

  test('record the response of the receiver, truncated and without secrets, or the reason for no response', async () => {
    const { endpoint_id, secret } = await createEndpoint()
    const answered = async (answer: Parameters<Receiver['answer']>[0]) => {
      receiver.answer(answer)
      const { delivery_id } = await sendTest(endpoint_id)
      const { attempts } = await untilDelivery(delivery_id, ({ attempt_count }) => attempt_count === 1)
      await server.context.database.deleteFrom('webhook_pending').execute()
      await server.context.database.updateTable('webhook_lanes').set({ failures: 0 }).execute()
      return attempts[0]
    }
    expect(await answered(() => (response) => response.writeHead(200).end(`seen\0 ${secret}`))).toMatchObject(
      {
        status: 200,
        error: null,
        response_excerpt: 'seen\u{fffd} whsec_…',
      },
    )
    const flood = await answered(() => (response) => {
      response.writeHead(200)
      const pour = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', pour)
      }
      pour()
    })
    expect(flood).toMatchObject({ status: 200, response_excerpt: 'x'.repeat(2048) })
    expect(await answered(() => (response) => response.socket?.resetAndDestroy())).toMatchObject({
      status: null,
      error: 'connection_reset',
    })
    expect(await answered(() => (response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'))).toMatchObject(
      {
        status: null,
        error: 'network_error',
      },
    )
  })

  test('go to the current URL of an endpoint that was moved, or disabled and enabled again', async () => {
    const { endpoint_id } = await createEndpoint(await closedUrl())
    const { delivery_id } = await sendTest(endpoint_id)
    const refused = await untilDelivery(delivery_id, ({ attempt_count }) => attempt_count === 1)
    expect(refused.attempts[0]).toMatchObject({ status: null, error: 'connection_refused' })
    const route = `/webhooks/endpoints/${endpoint_id}`
    await api(route, { enabled: false }, 'PATCH')
    aheadMs += HOUR_MS
    await api(route, { url: `${receiver.url}/moved` }, 'PATCH')
    expect((await api(`${route}/test`, { type: 'call.failed' })).status).toBe(409)
    await api(route, { enabled: true }, 'PATCH')
    await untilStatus(delivery_id, 'delivered')
    expect(receiver.deliveries.map(({ path }) => path)).toEqual(['/moved'])
  })

  test('to a disabled endpoint end after a day', async () => {
    const { endpoint_id } = await createEndpoint(await closedUrl())
    const { delivery_id } = await sendTest(endpoint_id)
    await untilDelivery(delivery_id, ({ attempt_count }) => attempt_count === 1)
    await api(`/webhooks/endpoints/${endpoint_id}`, { enabled: false }, 'PATCH')
    aheadMs += 25 * HOUR_MS
    expect(await untilStatus(delivery_id, 'dead')).toMatchObject({
      dead_reason: 'window_expired',
      attempt_count: 1,
    })
  })
})

describe('secrets', () => {
  test('rotate with an overlap in which both verify, and are encrypted at rest', async () => {
    const { endpoint_id, secret: first } = await createEndpoint()
    const rotated = await api<{ secret: string; previous_secret_until: string }>(
      `/webhooks/endpoints/${endpoint_id}/rotate-secret`,
      { overlap_hours: 24 },
    )
    const second = rotated.body.secret
    expect(Date.parse(rotated.body.previous_secret_until) - clock.nowMs()).toBeGreaterThan(23.9 * HOUR_MS)
    const acceptedBy = async () => {
      const count = receiver.deliveries.length
      await sendTest(endpoint_id)
      const delivery = (await untilReceived(count + 1)).at(-1)
      const verify = async (secret: string) =>
        (
          await createVerifier({ secrets: secret, clock: clock.nowMs }).verify(
            delivery?.body,
            delivery?.headers ?? {},
          )
        ).ok
      return [await verify(first), await verify(second)]
    }
    expect(await acceptedBy()).toEqual([true, true])
    aheadMs += 25 * HOUR_MS
    expect(await acceptedBy()).toEqual([false, true])
    // Without an overlap, the old secret ends at once.
    await api(`/webhooks/endpoints/${endpoint_id}/rotate-secret`, { overlap_hours: 0 })
    expect(await acceptedBy()).toEqual([false, false])

    const { rows } = await sql<{ row: string }>`
      select encode(sealed, 'escape') || coalesce(encode(previous_sealed, 'escape'), '') as row from webhook_secrets
    `.execute(server.context.database)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.some(({ row }) => row.includes('whsec_'))).toBe(false)
  })

  test('are shown once: not in lists, and not in response to a retry', async () => {
    const request = { url: receiver.url, events: ['call.queued'] }
    const headers = { 'idempotency-key': 'create-once' }
    const created = await server.json('/webhooks/endpoints', { key, body: request, headers })
    expect(created.status).toBe(201)
    expect((await server.json('/webhooks/endpoints', { key, body: request, headers })).status).toBe(409)
    expect(JSON.stringify((await api('/webhooks/endpoints')).body)).not.toContain('whsec_')
  })
})

describe('deliveries', () => {
  test('that are dead can be resent, one or all since a time, and are marked as resent', async () => {
    const { endpoint_id } = await createEndpoint()
    const since = new Date(clock.nowMs() - 1000).toISOString()
    receiver.answer(() => 410)
    const dead: WebhookDelivery[] = []
    while (dead.length < 3) {
      const sent = await sendTest(endpoint_id)
      await untilStatus(sent.delivery_id, 'dead')
      dead.push(sent)
      const route = `/webhooks/endpoints/${endpoint_id}`
      await until(
        () => api<WebhookEndpoint>(route),
        ({ body }) => body.disabled_reason === 'gone',
      )
      await api(route, { enabled: true }, 'PATCH')
    }
    receiver.answer(() => 200)
    const one = dead[0]?.delivery_id ?? ''
    const resent = await api<WebhookDelivery>(`/webhooks/deliveries/${one}/resend`, undefined, 'POST')
    expect(resent).toMatchObject({
      status: 202,
      body: { status: 'pending', resent: true, dead_reason: null },
    })
    expect(await untilStatus(one, 'delivered')).toMatchObject({ resent: true, attempt_count: 2 })

    const earlier = new Date(Date.parse(since) - 1).toISOString()
    expect(await api('/webhooks/deliveries/recover', { since, until: earlier })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param: 'until' } },
    })
    expect((await api('/webhooks/deliveries/recover', { since, until: since })).body).toEqual({ resent: 0 })
    expect((await api('/webhooks/deliveries/recover', { since })).body).toEqual({ resent: 2 })
    for (const { delivery_id } of dead) await untilStatus(delivery_id, 'delivered')
    expect(receiver.deliveries.map(({ event }) => event.event_id).toSorted()).toEqual(
      dead.flatMap(({ event_id }) => [event_id, event_id]).toSorted(),
    )
    expect((await api('/webhooks/deliveries/recover', { since })).body).toEqual({ resent: 0 })
    expect(await listDeliveries('?status=dead')).toEqual([])
  })

  test('that are dead are all resent, however many there are', async () => {
    const { endpoint_id } = await createEndpoint()
    await api(`/webhooks/endpoints/${endpoint_id}`, { enabled: false }, 'PATCH')
    const count = 2500
    const { database, makeId } = server.context
    const ids = Array.from({ length: count }, () => makeId('delivery'))
    await sql`
      insert into webhook_deliveries (delivery_id, account_id, livemode, lane_id, endpoint_id, event_id, event_type,
        object_id, sequence, status, dead_reason, created_at)
      select id, ${accountId}, false, ${endpoint_id}, ${endpoint_id}, 'evt_' || id, 'call.failed', 'call_' || id, 1, 'dead',
        'attempts_exhausted', ${new Date(clock.nowMs())}
      from unnest(${ids}::text[]) as given (id)`.execute(database)
    const since = new Date(clock.nowMs() - 60_000).toISOString()
    expect((await api('/webhooks/deliveries/recover', { since })).body).toEqual({ resent: count })
    const waiting = await database
      .selectFrom('webhook_pending')
      .where('account_id', '=', accountId)
      .select('delivery_id')
      .execute()
    expect(waiting.map(({ delivery_id }) => delivery_id).toSorted()).toEqual(ids.toSorted())
  })

  test('of every type can be tried with a test event that fits its schema', async () => {
    const { endpoint_id } = await createEndpoint()
    for (const type of WEBHOOK_EVENT_TYPES) await sendTest(endpoint_id, type)
    const received = await untilReceived(WEBHOOK_EVENT_TYPES.length)
    const schemas = {
      batch: batchEventSchema,
      call: callEventSchema,
      document: documentEventSchema,
      verification: verificationEventSchema,
      webhook: endpointEventSchema,
    }
    for (const { event } of received) {
      const [family = ''] = event.type.split('.')
      expect(schemas[family as keyof typeof schemas].parse(event)).toEqual(event)
    }
    expect(received.map(({ event }) => event.type).toSorted()).toEqual([...WEBHOOK_EVENT_TYPES].toSorted())
  })

  test('are kept for 30 days after their month, and their events for 69', async () => {
    const { endpoint_id } = await createEndpoint()
    const { delivery_id, event_id } = await sendTest(endpoint_id)
    await untilStatus(delivery_id, 'delivered')
    const { database } = server.context
    const left = async () => {
      await sweepOldWebhooks(database, clock)
      const deliveries = database.selectFrom('webhook_deliveries').where('delivery_id', '=', delivery_id)
      const events = database.selectFrom('events').where('event_id', '=', event_id)
      return [
        (await deliveries.select('delivery_id').execute()).length,
        (await events.select('event_id').execute()).length,
      ]
    }
    expect(await left()).toEqual([1, 1])
    aheadMs += 30 * 24 * HOUR_MS
    expect(await left()).toEqual([1, 1])
    aheadMs += 31 * 24 * HOUR_MS
    expect(await left()).toEqual([0, 1])
    aheadMs += 39 * 24 * HOUR_MS
    expect(await left()).toEqual([0, 0])
  })

  test('and endpoints of another account are not found', async () => {
    const { endpoint_id } = await createEndpoint()
    const { delivery_id } = await sendTest(endpoint_id)
    ;({ key } = await server.createAccount())
    const statuses = await Promise.all([
      api(`/webhooks/deliveries/${delivery_id}`),
      api(`/webhooks/deliveries/${delivery_id}/resend`, undefined, 'POST'),
      api(`/webhooks/endpoints/${endpoint_id}`, { enabled: false }, 'PATCH'),
      api(`/webhooks/endpoints/${endpoint_id}/rotate-secret`, {}),
      api(`/webhooks/endpoints/${endpoint_id}/test`, { type: 'call.queued' }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect(await listDeliveries()).toEqual([])
    expect((await api<{ data: [] }>('/webhooks/endpoints')).body.data).toEqual([])
  })
})

describe('an endpoint', () => {
  test('that is down is tried less often, does not slow others, and gets all it missed once it is back', async () => {
    const down = await createEndpoint(`${receiver.url}/down`, ['call.queued'])
    const up = await createEndpoint(`${receiver.url}/up`)
    let isDown = true
    receiver.answer(({ path }) =>
      path === '/down' && isDown ? (response) => response.socket?.destroy() : 204,
    )
    const attemptsAtDown = async () => receiver.deliveries.filter(({ path }) => path === '/down').length
    const readLane = () =>
      server.context.database
        .selectFrom('webhook_lanes')
        .where('lane_id', '=', down.endpoint_id)
        .selectAll()
        .executeTakeFirst()
    const soon = new Date(clock.nowMs() + 100 * HOUR_MS).toISOString()
    for (let index = 0; index < 20; index++) await place({ scheduled_at: soon })
    await until(readLane, (lane) => lane?.failures === 5 && lane.open_until !== null)
    const before = await attemptsAtDown()
    expect(before).toBeLessThan(8)
    for (let index = 0; index < 5; index++)
      await untilStatus((await sendTest(up.endpoint_id)).delivery_id, 'delivered')
    expect(await attemptsAtDown()).toBe(before)
    // A single attempt probes whether it is back; if not, the lane waits twice as long.
    aheadMs += 31_000
    await until(readLane, (lane) => lane?.failures === 6 && lane.open_until !== null)
    expect(await attemptsAtDown()).toBe(before + 1)
    isDown = false
    aheadMs += HOUR_MS
    await until(
      () => listDeliveries('?limit=100'),
      (all) => all.length === 45 && all.every(({ status }) => status === 'delivered'),
    )
  })

  test('cannot have an address on a private network, in any spelling', async () => {
    const inside = [
      'https://10.0.0.1/',
      'https://0x0a000001/',
      'https://169.254.169.254/latest',
      'https://[::ffff:a00:1]/',
      'https://[fd00:ec2::254]/',
      'https://printer.local/',
      'http://10.0.0.1/',
    ]
    for (const url of inside) {
      const refused = await api<{ error: { param: string } }>('/webhooks/endpoints', {
        url,
        events: ['call.queued'],
      })
      expect(refused, url).toMatchObject({ status: 400, body: { error: { param: 'url' } } })
      const account = await api(`/admin/accounts/${accountId}`, { call_webhook_url: url }, 'PATCH')
      expect(account, url).toMatchObject({ status: 400, body: { error: { param: 'call_webhook_url' } } })
    }
  })

  test('with a private address by the time of the attempt is not contacted', async () => {
    const { endpoint_id } = await createEndpoint()
    await server.context.database
      .updateTable('webhook_endpoints')
      .set({ url: 'https://10.0.0.1/' })
      .where('endpoint_id', '=', endpoint_id)
      .execute()
    const { delivery_id } = await sendTest(endpoint_id)
    const refused = await untilDelivery(delivery_id, ({ attempt_count }) => attempt_count === 1)
    expect(refused.attempts[0]).toMatchObject({ status: null, error: 'destination_refused' })
  })
})
