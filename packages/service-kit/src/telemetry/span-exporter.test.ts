import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSpanExporter } from './span-exporter.ts'

/** Starts a collector that sends these responses, repeating the last one, or that hangs. */
async function startCollector(...answers: (number | 'hang')[]) {
  const received: { request: IncomingMessage; body: Buffer }[] = []
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    received.push({ request, body: await buffer(request) })
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (typeof answer === 'number') response.writeHead(answer).end()
  }
  const server = createServer((request, response) => void take(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  return received
}

function makeSpan() {
  const kept = new InMemorySpanExporter()
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: kept })] })
  provider.getTracer('test').startSpan('test.work').end()
  return kept.getFinishedSpans()
}

function send(exporter: ReturnType<typeof createSpanExporter>): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  exporter.export(makeSpan(), ({ code }) => resolve(code))
  return promise
}

test('sends to the traces path, with the headers and compression of the standard variables', async () => {
  const received = await startCollector(200)
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=one')
  vi.stubEnv('OTEL_EXPORTER_OTLP_COMPRESSION', 'gzip')
  const results: boolean[] = []
  expect(await send(createSpanExporter((hasArrived) => results.push(hasArrived)))).toBe(0)
  expect(results).toEqual([true])
  const [first] = received
  expect(first?.request).toMatchObject({ method: 'POST', url: '/v1/traces' })
  expect(first?.request.headers).toMatchObject({
    'x-tenant': 'one',
    'content-type': 'application/x-protobuf',
  })
  expect(gunzipSync(first?.body ?? '').toString('latin1')).toContain('test.work')
})

test('retries only retryable responses', async () => {
  const received = await startCollector(503, 200)
  expect(await send(createSpanExporter(() => undefined))).toBe(0)
  expect(received).toHaveLength(2)
  expect(received[1]?.body).toEqual(received[0]?.body)

  const refused = await startCollector(400)
  expect(await send(createSpanExporter(() => undefined))).toBe(1)
  expect(refused).toHaveLength(1)
})

test('hurry disables retries, and abandon aborts requests', async () => {
  const received = await startCollector(503, 'hang')
  const exporter = createSpanExporter(() => undefined)
  exporter.hurry()
  expect(await send(exporter)).toBe(1)
  expect(received).toHaveLength(1)
  const hanging = send(exporter)
  await expect.poll(() => received.length).toBe(2)
  exporter.abandon()
  expect(await hanging).toBe(1)
  await exporter.shutdown()
})

test('ends at the timeout of the standard variables', async () => {
  await startCollector('hang')
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '50')
  const exporter = createSpanExporter(() => undefined)
  exporter.hurry()
  expect(await send(exporter)).toBe(1)
})
