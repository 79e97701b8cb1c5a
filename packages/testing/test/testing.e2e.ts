/** Uses the kit like someone who tests their own program. */
import { existsSync } from 'node:fs'
import { ApiError, ConnectionError, TruncatedStreamError, Vaani } from '@vaani/client'
import { startServerProcess, type StartVaaniOptions } from '@vaani/test-harness'
import { programFile } from '@vaani/test-services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Fault,
  FAULTS,
  type RunningVaani,
  specimenPath,
  SPECIMENS,
  startFaultProxy,
  startReceiver,
  startVaani,
} from '../src/index.ts'

/** Starts the server as `startVaani` does, from a bundle, which takes a third of the work. */
const startBundle = (options?: StartVaaniOptions): Promise<RunningVaani> =>
  startServerProcess(programFile('testing-server'), options)

const NEW_YEAR = new Date('2030-01-01T09:00:00Z')
const DAY_MS = 86_400_000

const placeCall = async ({ client }: Pick<RunningVaani, 'client'>, more = {}) => {
  const [agent] = (await client.agents.list()).data
  return client.calls.place({ to: '+9779812345678', agent_id: agent?.agent_id ?? '', ...more })
}
const failureOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => {
      throw new Error('It succeeded')
    },
    (error: unknown) => error,
  )

describe('a server', () => {
  let vaani: RunningVaani
  beforeAll(async () => {
    vaani = await startVaani({ now: NEW_YEAR, environment: { VAANI_IDENTITY_POLICY: 'document-only' } })
  })
  afterAll(() => vaani?.stop())

  test('runs on the given clock, and dials a scheduled call when it is due', async () => {
    const call = await placeCall(vaani, { scheduled_at: '2030-01-03T09:00:00Z' })
    expect(call.created_at).toMatch(/^2030-01-01T09:0/)
    expect(vaani.clock.nowMs()).toBeGreaterThanOrEqual(Date.parse(call.created_at ?? ''))
    expect(await vaani.client.calls.retrieve(call.call_id)).toMatchObject({ status: 'queued' })
    await vaani.clock.advance(2 * DAY_MS)
    const ended = await vaani.client.calls.waitUntilFinished(call.call_id)
    expect(ended.status).toBe('completed')
    expect(new Date(vaani.clock.nowMs()).toISOString()).toMatch(/^2030-01-03T/)
  })

  test('retries a webhook when it is due, and the receiver reports which deliveries are genuine', async () => {
    await using receiver = await startReceiver({ clock: vaani.clock })
    const { client, clock } = vaani
    const endpoint = await client.webhooks.createEndpoint({ url: receiver.url, events: ['call.completed'] })
    receiver.trust(endpoint.secret)
    receiver.plan(500, 'reset')
    const { call_id } = await placeCall(vaani)
    const isOfCall = ({ event }: { event: { data: object } }) =>
      'call_id' in event.data && event.data.call_id === call_id
    const attempts = async (count: number) => {
      await receiver.waitFor((delivery) => isOfCall(delivery) && receiver.deliveries.length >= count)
      const settled = async () => {
        const { data } = await client.webhooks.listDeliveries()
        return data.find(({ endpoint_id }) => endpoint_id === endpoint.endpoint_id)?.attempt_count
      }
      await expect.poll(settled, { timeout: 300_000 }).toBe(count)
    }
    await attempts(1)
    await clock.advance(40_000)
    await attempts(2)
    await clock.advance(150_000)
    await attempts(3)
    expect(receiver.deliveries.map(({ signature }) => signature)).toEqual(Array(3).fill('genuine'))
    expect(receiver.accepted).toHaveLength(1)

    const forged = await fetch(receiver.url, {
      method: 'POST',
      headers: { 'x-service-signature': '0'.repeat(64) },
      body: '{"event_id":"evt_1","type":"call.completed","data":{}}',
    })
    expect(forged.status).toBe(401)
    expect(receiver.deliveries.at(-1)?.signature).toBe('signature_mismatch')
  })

  test('decides on specimens', async () => {
    expect(SPECIMENS.filter((specimen) => !existsSync(specimenPath(specimen)))).toEqual([])
    const { verification_id } = await vaani.client.identity.submit({
      front_image: specimenPath('passport.jpg'),
      liveness_video: specimenPath('liveness.mp4'),
      external_id: 'test_approved',
    })
    expect(await vaani.client.identity.waitForDecision(verification_id)).toMatchObject({
      status: 'approved',
    })
  })

  test('shares nothing with another server, which cannot be reached or advanced after kill', async () => {
    await using other = await startBundle()
    const { call_id } = await placeCall(vaani)
    expect(await failureOf(other.client.calls.retrieve(call_id))).toMatchObject({ status: 404 })
    expect((await other.client.calls.list()).data).toEqual([])
    await other.kill()
    expect(ConnectionError.isInstance(await failureOf(other.client.calls.list({}, { maxRetries: 0 })))).toBe(
      true,
    )
    expect(String(await failureOf(other.clock.advance(1)))).toContain('has ended')
  })
})

describe('a server', () => {
  test('reports why it cannot start', async () => {
    const failure = await failureOf(startBundle({ environment: { VAANI_MAX_CALLS: 'many' } }))
    expect(String(failure)).toContain('VAANI_MAX_CALLS')
  })

  test('refuses a `now` that is invalid or in the past', async () => {
    for (const now of [new Date('no date'), new Date('2020-01-01T00:00:00Z')])
      expect(await failureOf(startVaani({ now }))).toBeInstanceOf(RangeError)
  })

  test('runs on a Postgres of testcontainers', { tags: 'containers' }, async () => {
    await using vaani = await startBundle({ postgres: 'container' })
    expect((await placeCall(vaani)).status).toBe('queued')
  })
})

describe('a receiver', () => {
  test('lists the received events if none matches', async () => {
    await using receiver = await startReceiver()
    await fetch(receiver.url, { method: 'POST', body: '{"event_id":"evt_1","type":"call.queued","data":{}}' })
    const failure = await failureOf(receiver.waitFor('call.completed', { timeoutMs: 10 }))
    expect(String(failure)).toMatch(/within 10 ms; received: call\.queued/)
    expect(receiver.deliveries[0]?.signature).toBe('unchecked')
    expect((await fetch(receiver.url, { method: 'POST', body: 'no event' })).status).toBe(400)
  })

  test('passes on an error of the predicate', async () => {
    await using receiver = await startReceiver()
    const waiting = failureOf(
      receiver.waitFor(() => {
        throw new TypeError('no such field')
      }),
    )
    const body = '{"event_id":"evt_1","type":"call.queued","data":{}}'
    expect((await fetch(receiver.url, { method: 'POST', body })).status).toBe(204)
    expect(String(await waiting)).toContain('no such field')
  })

  test('gives the planned responses, then the chosen ones', async () => {
    await using receiver = await startReceiver()
    receiver.plan({ status: 503, headers: { 'retry-after': '7' }, delayMs: 5 }, 'hang')
    receiver.answer(({ path }) => (path === '/gone' ? 410 : 204))
    const send = (path = '/', signal?: AbortSignal) =>
      fetch(receiver.url + path, {
        method: 'POST',
        body: '{"event_id":"evt_1","type":"call.queued","data":{}}',
        ...(signal && { signal }),
      })
    const first = await send()
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '7'])
    const hanging = new AbortController()
    const second = failureOf(send('/', hanging.signal))
    await receiver.waitFor(() => receiver.deliveries.length === 2)
    hanging.abort()
    expect(await second).toMatchObject({ name: 'AbortError' })
    expect((await send('/gone')).status).toBe(410)
    expect((await send()).status).toBe(204)
  })
})

describe('faults between client and server', () => {
  let vaani: RunningVaani
  beforeAll(async () => {
    vaani = await startBundle()
  })
  afterAll(() => vaani?.stop())

  test('are drawn by their seed: no call is lost, and none is placed twice', async () => {
    const rates = { reset: 0.1, unavailable: 0.1, 'lost answer': 0.1, 'bad gateway': 0.1, truncation: 0.1 }
    await using proxy = await startFaultProxy({ target: vaani.url, seed: 42, rates })
    const client = new Vaani({ apiKey: vaani.key, baseUrl: proxy.url, maxRetries: 12 })
    const placed: string[] = []
    for (let index = 0; index < 10; index++) placed.push((await placeCall({ client })).call_id)
    const kinds = new Set(proxy.seen.map(({ fault }) => fault))
    expect(kinds).toEqual(new Set([null, ...Object.keys(rates)]))
    const listed: string[] = []
    for await (const { call_id } of vaani.client.calls.list()) listed.push(call_id)
    expect(listed.toSorted()).toEqual(placed.toSorted())
    expect(new Set(placed).size).toBe(10)
  })

  test.each<[Fault, (error: unknown) => boolean]>([
    ['reset', (error) => ConnectionError.isInstance(error)],
    ['lost answer', (error) => ConnectionError.isInstance(error)],
    ['unavailable', (error) => ApiError.isInstance(error) && error.status === 503],
    ['bad gateway', (error) => ApiError.isInstance(error) && error.status === 502],
  ])('the client sees the fault %s', async (fault, isExpected) => {
    await using proxy = await startFaultProxy({ target: vaani.url })
    proxy.plan(fault)
    const client = new Vaani({ apiKey: vaani.key, baseUrl: proxy.url, maxRetries: 0 })
    const failure = await failureOf(client.calls.list())
    expect(isExpected(failure), String(failure)).toBe(true)
    expect(proxy.seen.map((request) => request.fault)).toEqual([fault])
  })

  test('the client distinguishes truncated from stalled audio', async () => {
    await using proxy = await startFaultProxy({ target: vaani.url })
    const client = new Vaani({ apiKey: vaani.key, baseUrl: proxy.url, idleTimeoutMs: 300 })
    const read = async () => {
      const stream = client.speech.stream({ input: 'Good morning.', language: 'en-US', voice: 'nova' })
      for await (const frame of stream) expect(frame.length).toBeGreaterThan(0)
    }
    proxy.plan('truncation')
    expect(TruncatedStreamError.isInstance(await failureOf(read()))).toBe(true)
    proxy.plan('stall')
    expect(await failureOf(read())).toMatchObject({ name: 'StalledStreamError' })
    proxy.plan('latency')
    await read()
  })

  test('no request reaches another server', async () => {
    await using proxy = await startFaultProxy({ target: vaani.url })
    await using other = await startReceiver()
    const path = other.url.slice('http:'.length)
    expect((await fetch(proxy.url + path)).status).toBe(404)
    for (const target of ['https://127.0.0.1', 'localhost:8080', ''])
      expect(await failureOf(startFaultProxy({ target }))).toBeInstanceOf(TypeError)
  })

  test('invalid rates are refused', async () => {
    await expect(startFaultProxy({ target: vaani.url, rates: { reset: 1.5 } })).rejects.toThrow(RangeError)
    expect(Object.keys(FAULTS)).toHaveLength(7)
  })

  test('have an end: the server has ended once any call of stop resolves', async () => {
    let hasEnded = false
    const first = vaani.stop().then(() => (hasEnded = true))
    await vaani.stop()
    expect(hasEnded).toBe(true)
    await first
  })
})
