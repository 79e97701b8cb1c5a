import { expect, test } from 'vitest'
import { traceSettings } from './trace-settings.ts'

const read = (environment: Record<string, string>) => traceSettings.read(environment).traces
const ON = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

test.each([
  {},
  { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  { OTEL_SERVICE_NAME: 'vaani', OTEL_TRACES_SAMPLER: 'always_on' },
  { ...ON, OTEL_SDK_DISABLED: 'TRUE' },
  { ...ON, OTEL_TRACES_EXPORTER: 'none' },
  // Set for another service of the platform.
  { ...ON, OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'xray' },
])('are off with %j', (environment) => {
  expect(read(environment)).toBeNull()
})

test.each([
  ON,
  { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c.example/v1/traces' },
  { OTEL_TRACES_EXPORTER: 'otlp' },
])('are on with %j', (environment) => {
  expect(read(environment)).toEqual({
    sampler: 'parentbased_always_on',
    ratio: 1,
    readsParents: true,
    gatherMs: 5000,
    maxWaiting: 2048,
    maxAtOnce: 512,
  })
})

test('reads the standard variables', () => {
  expect(
    read({
      ...ON,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      OTEL_PROPAGATORS: 'b3',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    }),
  ).toMatchObject({ sampler: 'parentbased_traceidratio', ratio: 0.1, readsParents: false, gatherMs: 100 })
  expect(read({ ...ON, OTEL_PROPAGATORS: 'tracecontext,baggage' })).toMatchObject({ readsParents: true })
})

test.each([
  ['OTEL_TRACES_EXPORTER', 'hunter2'],
  ['OTEL_TRACES_SAMPLER', 'hunter2'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector:4317'],
  ['OTEL_BSP_SCHEDULE_DELAY', '-1'],
])('reports an invalid %s without its value', (name, value) => {
  expect(() => read({ ...ON, [name]: value })).toThrow(name)
  expect(() => read({ ...ON, [name]: value })).not.toThrow(value)
})
