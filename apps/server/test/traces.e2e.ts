/** Traces as an operator uses them: with the real process, the standard variables, and a collector. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Call, Verification, WebhookEndpoint } from '@vaani/contracts'
import { createTestDatabase } from '@vaani/test-services'
import { startReceiver } from '@vaani/test-harness'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query } from './support/query.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'
import { makeMedia } from './support/submissions.ts'
import { migrateUrl } from './support/test-server.ts'
import { type CollectedSpan, startTraceCollector, type TraceCollector } from './support/trace-collector.ts'
import { until } from '@vaani/test-services/until'

const KEY = 'sk_test_traces_0123456789abcdef'
const call = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`

/** Creates a database, servers on it, a trace collector and a webhook receiver. */
async function openStand() {
  await using held = new AsyncDisposableStack()
  const database = held.use(await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } }))
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-traces-'))
  held.defer(() => rm(dataDirectory, { recursive: true, force: true }))
  const collector = held.use(await startTraceCollector())
  const receiver = held.use(await startReceiver())
  const environment = {
    DATABASE_URL: database.url,
    VAANI_DATA_DIR: dataDirectory,
    VAANI_BOOTSTRAP_API_KEY: KEY,
    VAANI_CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    VAANI_IDENTITY_POLICY: 'document-only',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'vaani-of-tests',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  }
  const named = (name: string): CollectedSpan[] => collector.spans.filter((span) => span.name === name)
  const resources = held.move()
  return {
    collector,
    receiver,
    databaseUrl: database.url,
    async start(more: Record<string, string> = {}): Promise<ServerProcess> {
      const server = await startServerProcess({ ...environment, ...more })
      resources.defer(async () => void (await server.kill('SIGKILL')))
      return server
    },
    addEndpoint: (server: ServerProcess) =>
      api<WebhookEndpoint>(server, '/webhooks/endpoints', {
        url: `${receiver.url}/hooks`,
        events: ['call.queued', 'call.completed', 'call.failed'],
      }),
    named,
    /** Waits for at least `count` spans with a name. */
    untilNamed: (name: string, count = 1) =>
      until(
        async () => named(name),
        (spans) => spans.length >= count,
      ),
    /** Waits for the span of a request, then for at least `count` spans of its trace. */
    async untilTraceOf(requestId: string | null, count = 1): Promise<readonly CollectedSpan[]> {
      const ofRequest = await until(
        async () => collector.spans.find(({ attributes }) => attributes['vaani.request_id'] === requestId),
        (span) => span !== undefined,
      )
      return until(
        async () => collector.spans.filter(({ traceId }) => traceId === ofRequest?.traceId),
        (spans) => spans.length >= count,
      )
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function api<Body>(
  { url }: ServerProcess,
  route: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; requestId: string | null; body: Body }> {
  const response = await fetch(url + route, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Body
  return { status: response.status, requestId: response.headers.get('x-request-id'), body: answer }
}

/** Describes each span as "parent > name", with the event type if it has one. */
const linesOf = (spans: readonly CollectedSpan[]): string[] => {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  return spans
    .map(({ name, parentSpanId, attributes: { 'vaani.event_type': type } }) =>
      [byId.get(parentSpanId)?.name ?? '', name, type].filter((part) => part !== undefined).join(' > '),
    )
    .toSorted()
}

/** Prints a line when the tracing library is loaded. */
const NOTING = `import { registerHooks } from 'node:module'
  registerHooks({ load(url, context, next) {
    if (url.includes('@opentelemetry/sdk')) process.stderr.write('The library was loaded')
    return next(url, context)
  } })`
const WATCHED = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(NOTING)}` }

describe('a server with a collector', () => {
  let stand: Awaited<ReturnType<typeof openStand>>
  let server: ServerProcess
  beforeAll(async () => {
    stand = await openStand()
    server = await stand.start({
      ...WATCHED,
      LOG_LEVEL: 'debug',
      VAANI_WEBHOOK_SCHEDULE_SECONDS: '0,0.1',
    })
    await stand.addEndpoint(server)
  })
  afterAll(() => stand?.[Symbol.asyncDispose]())

  test('makes a call one trace from its request to its webhooks, and its log lines have the trace id', async () => {
    const { requestId, body } = await api<Call>(server, '/agent/calls', call)
    const spans = await stand.untilTraceOf(requestId, 5)
    const placed = spans.find(({ name }) => name === 'calls.place')
    expect(placed).toMatchObject({
      kind: 2,
      parentSpanId: '',
      hasFailed: false,
      links: [],
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/agent/calls',
        'http.response.status_code': 201,
        'vaani.request_id': requestId,
        'vaani.account_id': expect.stringMatching(/^acct_/),
      },
      resource: {
        'service.name': 'vaani-of-tests',
        'deployment.environment.name': 'test',
        'service.instance.id': expect.any(String),
      },
    })
    expect(linesOf(spans)).toEqual([
      ' > calls.place',
      'calls.carry > webhooks.attempt > call.completed',
      'calls.place > calls.carry',
      'calls.place > calls.wait',
      'calls.place > webhooks.attempt > call.queued',
    ])
    const carried = spans.find(({ name }) => name === 'calls.carry')
    expect(carried?.attributes).toMatchObject({ 'vaani.call_id': body.call_id, 'vaani.outcome': 'completed' })
    expect(Number(carried?.endNanos) - Number(carried?.startNanos)).toBeGreaterThan(0)
    expect(spans.find(({ name }) => name === 'webhooks.attempt')?.attributes).toMatchObject({
      'vaani.object_id': body.call_id,
      'vaani.attempt': 1,
      'vaani.outcome': 'delivered',
      'http.response.status_code': 204,
    })
    for (const { headers } of stand.receiver.deliveries) expect(headers).not.toHaveProperty('traceparent')

    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): Record<string, unknown> => JSON.parse(line))
    const ofTrace = lines.filter(({ trace_id }) => trace_id === placed?.traceId)
    expect(ofTrace.map(({ event, operation }) => event ?? operation)).toEqual(
      expect.arrayContaining(['call_placed', 'calls.place', 'call_dialled', 'call_answered', 'call_ended']),
    )
    expect(ofTrace.find(({ operation }) => operation === 'calls.place')).toMatchObject({
      request_id: requestId,
    })
    expect(server.output()).toContain('The library was loaded')
  })

  test('gives the span of a rejected request the error code, and the request_id of the response', async () => {
    const { body } = await api<{ error: { request_id: string } }>(server, '/agent/calls', {
      ...call,
      to: 'nobody',
    })
    const [span] = await stand.untilTraceOf(body.error.request_id)
    expect(span).toMatchObject({
      name: 'calls.place',
      hasFailed: false,
      attributes: { 'http.response.status_code': 422, 'error.type': 'invalid_phone' },
    })
  })

  test('lets a caller control neither sampling nor the trace id, but links its trace', async () => {
    const headers = { traceparent: TRACEPARENT.replace(/01$/, '00') }
    const { requestId } = await api(server, '/agent/calls', undefined, headers)
    const [listed] = await stand.untilTraceOf(requestId)
    expect(listed?.traceId).not.toBe(TRACE_ID)
    expect(listed).toMatchObject({ name: 'calls.list', parentSpanId: '', links: [{ traceId: TRACE_ID }] })
  })

  test('makes a retried attempt part of the same trace', async () => {
    stand.receiver.plan(500)
    const { requestId } = await api<Call>(server, '/agent/calls', {
      ...call,
      scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    const spans = await stand.untilTraceOf(requestId, 3)
    const placed = spans.find(({ name }) => name === 'calls.place')
    const parent = { traceId: placed?.traceId, parentSpanId: placed?.spanId }
    expect(spans.filter(({ name }) => name === 'webhooks.attempt')).toMatchObject([
      {
        ...parent,
        hasFailed: true,
        attributes: { 'vaani.attempt': 1, 'vaani.outcome': 'retried', 'http.response.status_code': 500 },
      },
      { ...parent, hasFailed: false, attributes: { 'vaani.attempt': 2, 'vaani.outcome': 'delivered' } },
    ])
  })

  test('makes a verification one trace from its submission to its webhook', { tags: 'ffmpeg' }, async () => {
    await api(server, '/webhooks/rotate-secret', {})
    const { image, video } = await makeMedia()
    const { body, requestId } = await api<Verification>(server, '/identity/kyc/v2', {
      front_image_b64: image.toString('base64'),
      liveness_video_b64: video.toString('base64'),
      external_id: 'test_approved',
      callback_url: `${stand.receiver.url}/verified`,
    })
    const spans = await stand.untilTraceOf(requestId, 4)
    expect(linesOf(spans)).toEqual([
      ' > identity.submitV2',
      'identity.submitV2 > verifications.check',
      'identity.submitV2 > verifications.wait',
      'verifications.check > webhooks.attempt > verification.approved',
    ])
    const attempt = spans.find(({ name }) => name === 'webhooks.attempt')
    expect(attempt?.attributes).not.toHaveProperty('vaani.endpoint_id')
    expect(spans.find(({ name }) => name === 'verifications.check')?.attributes).toMatchObject({
      'vaani.verification_id': body.verification_id,
      'vaani.attempt': 1,
      'vaani.outcome': 'approved',
    })
  })
})

const IS_THOROUGH = thorough({ usual: false, long: true })

test.runIf(IS_THOROUGH)(
  'a trace continues after kill -9 and in another process',
  { concurrent: true },
  async () => {
    await using stand = await openStand()
    const { addEndpoint, collector, databaseUrl, named, receiver, start, untilNamed } = stand
    const front = await start({ VAANI_ROLES: 'api' })
    await addEndpoint(front)
    const { body } = await api<Call>(front, '/agent/calls', call)
    const [placed] = await untilNamed('calls.place')
    await front.kill('SIGKILL')
    const worker = await start({ VAANI_ROLES: 'worker' })
    await until(
      async () => query(databaseUrl, `select status from calls where call_id = '${body.call_id}'`),
      ([row]) => row?.['status'] === 'in-progress',
    )
    await worker.kill('SIGKILL')
    const next = await start()
    await receiver.waitFor('call.failed', { timeoutMs: 90_000 })
    // A worker that was killed before it recorded an attempt leaves it to be made again.
    const attempts = await until(
      async () => named('webhooks.attempt'),
      (spans) => spans.some(({ attributes }) => attributes['vaani.event_type'] === 'call.failed'),
    )
    const types = new Set(attempts.map(({ attributes }) => attributes['vaani.event_type']))
    expect(types).toEqual(new Set(['call.queued', 'call.failed']))
    for (const { traceId, parentSpanId } of attempts)
      expect({ traceId, parentSpanId }).toEqual({ traceId: placed?.traceId, parentSpanId: placed?.spanId })
    expect(new Set(collector.spans.map(({ resource }) => resource['service.instance.id'])).size).toBe(3)
    expect(next.output()).not.toContain('The collector does not accept traces')
  },
)

describe.concurrent('sampling and propagation', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.7' }
  const list = (server: ServerProcess, headers: Record<string, string> = {}) =>
    api(server, '/agent/calls', undefined, headers)

  test('a trusted proxy controls both, and an unsampled request leaves no spans, even on a connection that carried a sampled one', async () => {
    await using stand = await openStand()
    const { collector, databaseUrl, named, start } = stand
    const server = await start({
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
      VAANI_TRUSTED_PROXIES: '127.0.0.0/8',
    })
    await list(server, forwarded)
    await list(server, { ...forwarded, traceparent: TRACEPARENT })
    await list(server, { ...forwarded, traceparent: TRACEPARENT.replace(/01$/, '00') })
    for (const headers of [forwarded, { ...forwarded, traceparent: TRACEPARENT }, forwarded])
      await api(server, '/agent/calls', call, headers)
    const rows = await query(databaseUrl, 'select traceparent from calls order by call_id')
    expect(rows.map(({ traceparent }) => traceparent)).toEqual([
      null,
      expect.stringContaining(TRACE_ID),
      null,
    ])
    await until(
      async () => query(databaseUrl, `select traceparent from events where type = 'call.completed'`),
      (events) => events.length === 3,
    )
    await server.kill('SIGTERM')
    expect(named('calls.list')).toMatchObject([{ traceId: TRACE_ID, parentSpanId: '00f067aa0ba902b7' }])
    expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]))
  })

  test.runIf(IS_THOROUGH)(
    'OTEL_PROPAGATORS without tracecontext ignores incoming trace headers',
    async () => {
      await using stand = await openStand()
      const { start, untilNamed } = stand
      const server = await start({ VAANI_ROLES: 'api', OTEL_PROPAGATORS: 'none' })
      await list(server, { traceparent: TRACEPARENT })
      const [listed] = await untilNamed('calls.list')
      expect(listed?.links).toEqual([])
    },
  )

  test('OTEL_SDK_DISABLED turns traces off', async () => {
    await using stand = await openStand()
    const { collector, start } = stand
    const server = await start({ VAANI_ROLES: 'api', OTEL_SDK_DISABLED: 'true' })
    await list(server)
    await server.kill('SIGTERM')
    expect(collector.requests()).toBe(0)
  })
})

test.concurrent('a process without traces does not load the library, whatever else is set', async () => {
  await using stand = await openStand()
  const { start } = stand
  const without = await start({ ...WATCHED, VAANI_ROLES: 'api', OTEL_EXPORTER_OTLP_ENDPOINT: '' })
  expect(without.output()).not.toContain('The library was loaded')
})

describe.concurrent('the shutdown of a process', () => {
  test('loses no spans, however long they are batched', async () => {
    await using stand = await openStand()
    const { collector, named, start } = stand
    const server = await start({ OTEL_BSP_SCHEDULE_DELAY: '600000', VAANI_ROLES: 'api' })
    for (let count = 0; count < 20; count++) await api(server, '/agent/calls')
    expect(collector.requests()).toBe(0)
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(named('calls.list')).toHaveLength(20)
  })

  // Otherwise the exporter's timeout or the grace period would take 600 s.
  const FAILURES: [string, (collector: TraceCollector) => Promise<void>][] = [
    ['hangs', async (collector) => collector.answer('hang')],
    ['rejects requests', async (collector) => collector.answer(503)],
    ['is down', async (collector) => collector[Symbol.asyncDispose]()],
  ]
  test.each(thorough({ usual: FAILURES.slice(0, 1), long: FAILURES }))(
    'is not held up by a collector that %s, and neither are requests',
    async (_, fail) => {
      await using stand = await openStand()
      const { collector, start } = stand
      const server = await start({
        VAANI_ROLES: 'api',
        VAANI_SHUTDOWN_GRACE_SECONDS: '600',
        OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
      })
      await fail(collector)
      for (let count = 0; count < 20; count++) expect((await api(server, '/agent/calls')).status).toBe(200)
      expect(await server.kill('SIGTERM')).toBe(0)
      expect(server.output()).toContain('"msg":"Stopped"')
      expect(server.output()).toContain('The collector does not accept traces')
    },
  )
})

test.concurrent('an invalid variable prevents the start, and its value is not shown', async () => {
  await using stand = await openStand()
  const { start } = stand
  const refused = await start({ OTEL_TRACES_SAMPLER: 'hunter2' }).then(() => '', String)
  expect(refused).toContain('The configuration is wrong: OTEL_TRACES_SAMPLER must be')
  expect(refused).not.toContain('hunter2')
})
