import type { Call, Verification, WebhookEndpoint } from '@vaani/contracts'
import type { Exchange } from '@vaani/conformance'
import { startTraces, type Traces } from '@vaani/service-kit/telemetry/start-traces'
import { startReceiver } from '@vaani/test-harness'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { features } from '../src/features.ts'
import { findLeaks } from './support/find-leaks.ts'
import { createLogLines } from './support/log-lines.ts'
import { seriesOf } from './support/series.ts'
import { makeMedia } from './support/submissions.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { startTraceCollector, type TraceCollector } from './support/trace-collector.ts'
import { until } from '@vaani/test-services/until'

const PHONE = '+9779812345678'
const CALLER = '+9779812349999'
const NAME = 'Sitalaxmi'
const EXTERNAL_ID = 'citizen-42-01-73-00518'
const PATH = 'hooks-of-sitalaxmi'
const TEXT = 'Your diagnosis is ready, dear Sitalaxmi.'
/** All personal data that the tests send, verbatim and as encoded in paths. */
const PERSONAL = [PHONE, CALLER, NAME, EXTERNAL_ID, PATH, TEXT, 'diagnosis'].flatMap((text) => [
  text,
  encodeURIComponent(text),
  text.replace('+', ''),
])

const { log, lines } = createLogLines('trace')
let collector: TraceCollector
let traces: Traces
let server: TestServer
let key: string
let accountId: string
/** Keys and webhook secrets. */
const secrets: string[] = []
/** Ids that stand for a person: allowed in log lines and spans, but never in metric labels. */
const ids: string[] = []
beforeAll(async () => {
  collector = await startTraceCollector()
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '10' }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const { traces: settings } = features.settings.read(environment)
  if (settings === null) throw new Error('Traces are off')
  traces = startTraces({ settings, log })
  server = await startTestServer({
    log,
    tracer: traces.tracer,
    config: { metricsPort: 0, callbackAllowCidrs: ['127.0.0.0/8'], identityPolicy: 'document-only' },
  })
  ;({ key, accountId } = await server.createAccount({ name: NAME }))
  secrets.push(server.key, key)
  ids.push(accountId)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await collector[Symbol.asyncDispose]()
  vi.unstubAllEnvs()
})

const send = <Body>(route: string, body?: object, method?: string) =>
  server.json<Body>(route, { key, ...(body && { body }), ...(method && { method }) })

/** @param traced names of spans to await before searching all spans */
async function expectNothingPersonal(...traced: string[]): Promise<void> {
  await until(
    async () => collector.spans.map(({ name }) => name),
    (names) => traced.every((name) => names.includes(name)),
  )
  const spans = collector.text()
  for (const text of [...PERSONAL, ...secrets]) expect(spans).not.toContain(text)
  expect(spans).toContain(accountId)
  const metrics = await server.scrape()
  for (const text of [...PERSONAL, ...secrets, ...ids]) expect(metrics).not.toContain(text)
  const logged = JSON.stringify(lines)
  for (const text of [...PERSONAL, ...secrets]) expect(logged).not.toContain(text)
  // Make sure that there is something to search.
  expect(logged).toContain(accountId)
  expect(metrics).toContain('vaani_http_requests_total{')
}

test('calls and webhooks leave no personal data in metrics, logs and spans', async () => {
  await using receiver = await startReceiver()
  const created = await send<WebhookEndpoint & { secret: string }>('/webhooks/endpoints', {
    url: `${receiver.url}/${PATH}?name=${NAME}`,
    events: ['call.completed', 'call.failed'],
  })
  secrets.push(created.body.secret)
  ids.push(created.body.endpoint_id)
  const placed = await send<Call>('/agent/calls', {
    to: PHONE,
    agent_id: 'reminder',
    language: 'en-US',
    metadata: { name: NAME, note: TEXT },
  })
  expect(placed.status).toBe(201)
  ids.push(placed.body.call_id)
  const refused = await Promise.all([
    send('/agent/calls', { to: `${PHONE}${PHONE}`, agent_id: NAME, language: 'en-US' }),
    send('/agent/calls', { to: PHONE, agent_id: 'reminder', language: NAME, from_caller_id: CALLER }),
    send(`/agent/calls/${encodeURIComponent(PHONE)}`),
    send(`/agent/calls?cursor=${encodeURIComponent(NAME)}`),
    send(`/people/${NAME}?phone=${encodeURIComponent(PHONE)}`),
    server.json('/agent/calls', { key: `sk_test_${NAME}_0123456789abcdef` }),
    server.json('/v1/audio/stream', {
      key,
      body: { model: 'stream-tts', input: TEXT, voice: NAME },
    }),
  ])
  for (const { status } of refused) expect(status).toBeGreaterThanOrEqual(400)
  const spoken = await server.fetch('/v1/audio/stream', { key, body: { model: 'stream-tts', input: TEXT } })
  expect((await spoken.arrayBuffer()).byteLength).toBeGreaterThan(0)
  await until(
    async () => receiver.deliveries,
    (deliveries) => deliveries.length > 0,
  )
  // Make one fail, because texts leak mostly through errors.
  await receiver[Symbol.asyncDispose]()
  await send(`/webhooks/endpoints/${created.body.endpoint_id}/test`, { type: 'call.completed' })
  await until(server.scrape, (text) =>
    Object.entries(seriesOf(text, 'vaani_webhook_attempts_total')).some(
      ([labels, value]) => labels === 'outcome="retried"' && value > 0,
    ),
  )
  await expectNothingPersonal('calls.place', 'calls.carry', 'webhooks.attempt', 'speech.stream')
})

describe('with media', { tags: 'ffmpeg' }, () => {
  test('verifications leave no personal data in metrics, logs and spans', async () => {
    const { image, video } = await makeMedia()
    const media = {
      front_image_b64: image.toString('base64'),
      liveness_video_b64: video.toString('base64'),
    }
    const submitted = await send<Verification>('/identity/kyc/v2', { ...media, external_id: EXTERNAL_ID })
    expect(submitted.status).toBeLessThan(300)
    ids.push(submitted.body.verification_id)
    await send('/identity/kyc/v2', { ...media, front_image_b64: NAME, external_id: EXTERNAL_ID })
    await send(`/identity/subjects/${EXTERNAL_ID}`)
    await until(
      server.scrape,
      (text) => (seriesOf(text, 'vaani_events_total')['event="verification_decided"'] ?? 0) > 0,
    )
    await expectNothingPersonal('identity.submitV2', 'verifications.check')
  })
})

test('the leak check finds anything that a caller sent in a log', () => {
  const exchange: Exchange = {
    method: 'POST',
    path: `/identity/subjects/${EXTERNAL_ID}?name=${NAME}`,
    requestHeaders: new Headers({
      'content-type': 'application/json',
      authorization: `Bearer ${server.key}`,
    }),
    requestBody: Buffer.from(JSON.stringify({ to: PHONE, metadata: { note: [TEXT] }, agent_id: 'reminder' })),
    status: 201,
    headers: new Headers({ 'content-type': 'application/json' }),
    body: Buffer.from(JSON.stringify({ call_id: 'call_0123456789abcdefghij', secret: 'whsec_c2VjcmV0' })),
  }
  const leaked = [PHONE, TEXT, EXTERNAL_ID, NAME, 'whsec_c2VjcmV0', server.key]
  for (const text of leaked) {
    const line = JSON.stringify({ level: 30, error: { at: [`at ${text}`] }, msg: 'A request failed' })
    expect(findLeaks([exchange], [line])).toContain(text)
  }
  const line = { level: 30, call_id: 'call_0123456789abcdefghij', carrier: 'reminder', msg: 'Dialled' }
  expect(findLeaks([exchange], [JSON.stringify(line), '{"cut'])).toEqual([])
})
