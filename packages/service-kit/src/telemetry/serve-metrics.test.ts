import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createMeter } from './meter.ts'
import { openMetrics, serveMetrics } from './serve-metrics.ts'

const LOOPBACK = { host: '127.0.0.1', port: 0 }

test('listens nowhere unless a port is set', async () => {
  const { registry } = createMeter()
  expect(await openMetrics({ metricsHost: '127.0.0.1', metricsPort: undefined }, registry)).toBeNull()
  expect(registry.getSingleMetric('process_cpu_seconds_total')).toBeUndefined()
})

test('shows the metrics of the service and of its process', async () => {
  const meter = createMeter()
  meter.counter({ name: 'vaani_calls_total', help: 'Calls' }).add({})
  await using listener = await openMetrics({ metricsHost: '127.0.0.1', metricsPort: 0 }, meter.registry)
  const response = await fetch(`${listener?.address}/metrics?name=any`)
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  const text = await response.text()
  expect(text).toContain('vaani_calls_total 1')
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  const head = await fetch(`${listener?.address}/metrics`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('shows nothing else', async () => {
  await using listener = await serveMetrics({ registry: createMeter().registry, ...LOOPBACK })
  expect((await fetch(listener.address)).status).toBe(404)
  expect((await fetch(`${listener.address}/metrics/`)).status).toBe(404)
  const post = await fetch(`${listener.address}/metrics`, { method: 'POST', body: 'x' })
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('shows the health of a process that has any', async () => {
  let failing = ['database']
  const readiness = async () => failing
  await using listener = await serveMetrics({ registry: createMeter().registry, readiness, ...LOOPBACK })
  const ask = async (route: string) => {
    const response = await fetch(listener.address + route)
    return { status: response.status, body: (await response.json()) as unknown }
  }
  expect(await ask('/healthz')).toEqual({ status: 200, body: { status: 'ok' } })
  expect(await ask('/readyz')).toEqual({ status: 503, body: { status: 'unavailable', failing } })
  failing = []
  expect(await ask('/readyz')).toEqual({ status: 200, body: { status: 'ok' } })
})

test('reads once for concurrent scrapes', async () => {
  const meter = createMeter()
  const reading = Promise.withResolvers<number>()
  let reads = 0
  meter.gauge({ name: 'vaani_slow', help: 'Slow' }).follow({}, () => {
    reads++
    return reading.promise
  })
  await using listener = await serveMetrics({ registry: meter.registry, ...LOOPBACK })
  const scrapes = [1, 2, 3].map(() => fetch(`${listener.address}/metrics`))
  await expect.poll(() => reads).toBe(1)
  reading.resolve(5)
  for (const response of await Promise.all(scrapes)) expect(await response.text()).toContain('vaani_slow 5')
})

test('closes open connections when it ends', async () => {
  const listener = await serveMetrics({ registry: createMeter().registry, ...LOOPBACK })
  const { hostname, port } = new URL(listener.address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const closed = once(socket, 'close')
  socket.on('error', () => undefined)
  await listener[Symbol.asyncDispose]()
  await closed
})
