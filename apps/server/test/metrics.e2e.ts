import type { Call } from '@vaani/contracts'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { createTestDatabase, startLossyProxy } from '@vaani/test-services'
import { sql } from 'kysely'
import { startReceiver } from '@vaani/test-harness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { features } from '../src/features.ts'
import { startServer } from '../src/server.ts'
import { seriesOf } from './support/series.ts'
import { migrateUrl, startTestServer, type TestServer } from './support/test-server.ts'
import { until } from '@vaani/test-services/until'

const call = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { metricsPort: 0, callbackAllowCidrs: ['127.0.0.0/8'] } })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Waits for the values of a metric, because a request is counted just after its response. */
const untilSeries = (name: string, isThere: (series: Record<string, number>) => boolean) =>
  until(async () => seriesOf(await server.scrape(), name), isThere)

test('counts requests by operation and status, never by path', async () => {
  const placed = await server.json<Call>('/agent/calls', { body: call })
  await server.fetch(`/agent/calls/${placed.body.call_id}`)
  await server.fetch('/agent/calls/call_nobody')
  await server.fetch('/agent/calls/call_nobody', { key: null })
  await server.fetch('/no/such/+9779812345678')
  const requests = await untilSeries(
    'vaani_http_requests_total',
    (series) => series['operation="none",status="404"'] === 1,
  )
  expect(requests).toMatchObject({
    'operation="calls.place",status="201"': 1,
    'operation="calls.retrieve",status="200"': 1,
    'operation="calls.retrieve",status="404"': 1,
    'operation="calls.retrieve",status="401"': 1,
  })
  const durations = seriesOf(await server.scrape(), 'vaani_http_request_duration_seconds_count')
  expect(durations['operation="calls.retrieve"']).toBe(3)
})

test('counts an aborted request as such, and no longer as in flight', async () => {
  const leaving = new AbortController()
  const body = { model: 'stream-tts', input: 'A long text. '.repeat(300) }
  const response = await server.fetch('/v1/audio/stream', { body, signal: leaving.signal })
  expect(response.status).toBe(200)
  const inFlight = 'vaani_http_requests_in_flight'
  await untilSeries(inFlight, (series) => series['operation="speech.stream"'] === 1)
  leaving.abort()
  await untilSeries(inFlight, (series) => series['operation="speech.stream"'] === 0)
  expect(seriesOf(await server.scrape(), 'vaani_http_requests_total')).toMatchObject({
    'operation="speech.stream",status="aborted"': 1,
  })
  expect(seriesOf(await server.scrape(), 'vaani_stream_first_byte_seconds_count')).toEqual({ '': 1 })
})

test('follows a call and its webhooks to their end', async () => {
  await using receiver = await startReceiver()
  const { key } = await server.createAccount()
  await server.json('/webhooks/endpoints', {
    key,
    body: { url: `${receiver.url}/hooks`, events: ['call.completed'] },
  })
  await server.json('/agent/calls', { key, body: call })
  await untilSeries('vaani_webhook_attempts_total', (series) => (series['outcome="delivered"'] ?? 0) > 0)
  await untilSeries('vaani_events_total', (series) => (series['event="call_ended"'] ?? 0) > 0)
  const text = await server.scrape()
  expect(seriesOf(text, 'vaani_webhook_attempts_total')).toMatchObject({ 'outcome="dead"': 0 })
  expect(seriesOf(text, 'vaani_webhook_attempt_duration_seconds_count')['']).toBeGreaterThan(0)
  for (const name of [
    'vaani_calls_active',
    'vaani_calls_due',
    'vaani_calls_lateness_seconds',
    'vaani_verifications_running',
    'vaani_verifications_pending',
    'vaani_verifications_lateness_seconds',
    'vaani_webhook_outbox',
    'vaani_webhook_outbox_lateness_seconds',
    'vaani_webhook_pending',
    'vaani_webhook_pending_lateness_seconds',
  ])
    // On a busy machine, a scrape may lack it because the database took too long.
    await untilSeries(name, (series) => Number.isFinite(series['']))
  expect(seriesOf(text, 'vaani_webhook_shards')).toEqual({ '': 64 })
  expect(seriesOf(text, 'vaani_calls_places')).toEqual({ '': 100 })
  // Place another call, because the gaps of a call are exposed only once, a few seconds after it.
  await server.json('/agent/calls', { key, body: call })
  const gaps = await untilSeries('vaani_call_frame_gap_seconds', (series) => Object.keys(series).length === 3)
  expect(gaps['quantile="max"']).toBeGreaterThan(0)
  expect(seriesOf(text, 'vaani_limiter_store')).toEqual({ 'store="redis"': 0, 'store="memory"': 1 })
  expect(seriesOf(text, 'vaani_limiter_degraded')).toEqual({ '': 0 })
})

test('reports when each sweep last succeeded and how often it failed', async () => {
  const succeeded = 'vaani_sweep_last_success_timestamp_seconds'
  const name = 'sweep="old webhooks"'
  const before = seriesOf(await server.scrape(), succeeded)[name] ?? Number.NaN
  await server.context.sweep()
  const text = await server.scrape()
  expect(seriesOf(text, succeeded)[name]).toBeGreaterThan(before)
  expect(seriesOf(text, 'vaani_sweep_duration_seconds')[name]).toBeGreaterThan(0)
  expect(seriesOf(text, 'vaani_sweep_failures_total')[name]).toBe(0)
})

test('metrics and health are served without the role `api` too, but only if a port is set', async () => {
  await using database = await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } })
  const config = { ...features.settings.read({}), databaseUrl: database.url, shutdownGraceMs: 0 }
  const log = createLogger('silent')
  {
    await using worker = await startServer({
      config: { ...config, roles: new Set(['worker']), metricsPort: 0 },
      log,
    })
    expect(worker.address).toBeNull()
    const text = await (await fetch(`${worker.metricsAddress}/metrics`)).text()
    expect(seriesOf(text, 'vaani_calls_places')).toEqual({ '': 100 })
    const { database } = worker.context
    const ask = async (route: string) => {
      const response = await fetch(worker.metricsAddress + route)
      return { status: response.status, body: (await response.json()) as unknown }
    }
    expect(await ask('/healthz')).toEqual({ status: 200, body: { status: 'ok' } })
    expect(await ask('/readyz')).toEqual({ status: 200, body: { status: 'ok' } })
    await sql`alter table kysely_migration rename to former_migrations`.execute(database)
    expect(await ask('/readyz')).toEqual({
      status: 503,
      body: { status: 'unavailable', failing: ['migrations'] },
    })
    await sql`alter table former_migrations rename to kysely_migration`.execute(database)
  }
  await using other = await startServer({ config: { ...config, roles: new Set(['worker']) }, log })
  expect(other.metricsAddress).toBeNull()
})

test('metrics are served while the database is down, except values that cannot be read', async () => {
  await using database = await createTestDatabase({ template: { name: 'server', migrate: migrateUrl } })
  await using proxy = await startLossyProxy(database.url)
  await using away = await startTestServer({ config: { databaseUrl: proxy.url, metricsPort: 0 } })
  // On a busy machine, the first reads may take longer than they are given.
  await until(away.scrape, (read) => seriesOf(read, 'vaani_calls_due')[''] === 0)
  proxy.cutAt('from "calls"')
  await away.fetch('/agent/calls')
  // Values read earlier are served for a few seconds.
  await until(away.scrape, (read) => seriesOf(read, 'vaani_calls_due')[''] === undefined)
  const text = await away.scrape()
  expect(seriesOf(text, 'vaani_metrics_failed_reads_total')['']).toBeGreaterThan(0)
  expect(seriesOf(text, 'vaani_calls_active')).toEqual({ '': 0 })
  expect(seriesOf(text, 'vaani_http_requests_total')['operation="calls.list",status="503"']).toBe(1)
  proxy.mend()
  await until(away.scrape, (read) => seriesOf(read, 'vaani_calls_due')[''] === 0)
})
