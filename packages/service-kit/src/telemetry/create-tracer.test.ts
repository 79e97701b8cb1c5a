import { setImmediate as turn } from 'node:timers/promises'
import { SpanStatusCode } from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { currentTraceparent, formatTraceparent } from './active-span.ts'
import { createTracer } from './create-tracer.ts'

const FIELDS = { outcome: ['done', 'failed'], call_id: 'id', count: 'number' } as const
const STORED = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

function createSource(sampler?: AlwaysOffSampler, mayStart?: () => boolean) {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    ...(sampler && { sampler }),
  })
  const tracer = createTracer(provider.getTracer('test'), mayStart)
  const source = tracer.declare({
    name: 'test.work',
    kind: 'consumer',
    fields: FIELDS,
    constants: { 'http.route': '/calls' },
  })
  return { source, spans: () => exporter.getFinishedSpans() }
}

test('a span contains only listed values, numbers and ids', () => {
  const { source, spans } = createSource()
  const span = source.startTrace({})
  // Like hostile input, which ignores the types.
  const given: object = {
    outcome: 'Sita',
    call_id: '+977 98 1234',
    count: '9779812345678',
    phone: '+9779812345678',
  }
  span?.set(given)
  span?.end()
  expect(spans()[0]?.attributes).toEqual({ outcome: 'other', 'http.route': '/calls' })

  const good = source.startTrace({})
  good?.set({ outcome: 'done', call_id: 'call_1', count: 2 })
  good?.end()
  expect(spans()[1]?.attributes).toMatchObject({ outcome: 'done', call_id: 'call_1', count: 2 })
})

test('failing work marks its span, without any data of the error', async () => {
  const { source, spans } = createSource()
  const failing = source.run(STORED, async () => {
    await turn()
    throw new Error('+9779812345678 does not answer')
  })
  await expect(failing).rejects.toThrow('does not answer')
  const [span] = spans()
  expect(span?.status).toEqual({ code: SpanStatusCode.ERROR })
  expect(span?.events).toEqual([])
  expect(span?.ended).toBe(true)
})

test('work continues the trace that was stored with it, and passes it on', async () => {
  const { source, spans } = createSource()
  const handedOn = await source.run(STORED, async () => {
    await turn()
    return currentTraceparent()
  })
  const [span] = spans()
  expect(span?.parentSpanContext).toMatchObject({
    traceId: STORED.split('-')[1],
    spanId: STORED.split('-')[2],
  })
  expect(handedOn).toBe(span && formatTraceparent(span.spanContext()))
})

test.each([null, 'hello'])('work with the stored traceparent %j runs without a trace', async (stored) => {
  const { source, spans } = createSource()
  expect(await source.run(stored, async (span) => [span, currentTraceparent()])).toEqual([null, null])
  expect(spans()).toEqual([])
})

test('unsampled work has no span', async () => {
  const { source, spans } = createSource(new AlwaysOffSampler())
  expect(source.startTrace({})).toBeNull()
  expect(await source.run(STORED, async (span) => [span, currentTraceparent()])).toEqual([null, null])
  source.record(STORED, new Date(0), new Date(1), {})
  expect(spans()).toEqual([])
})

test('mayStart prevents traces without a parent, and is not called for others', () => {
  const { source, spans } = createSource(undefined, () => false)
  expect(source.startTrace({ link: STORED })).toBeNull()
  source.startTrace({ parent: STORED })?.end()
  expect(spans()).toMatchObject([{ parentSpanContext: { traceId: STORED.split('-')[1] } }])
})

test('a recorded span has the given times', () => {
  const { source, spans } = createSource()
  source.record(STORED, new Date(5000), new Date(7000), { count: 1 })
  expect(spans()).toMatchObject([{ startTime: [5, 0], endTime: [7, 0], attributes: { count: 1 } }])
})
