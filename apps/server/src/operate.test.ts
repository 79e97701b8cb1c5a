import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { contract } from '@vaani/contracts'
import { listRoutes } from '@vaani/contracts/openapi'
import { declareRequestMetrics } from '@vaani/service-kit/http/observe/request-metrics'
import { declareSweepMetrics } from '@vaani/service-kit/service/sweeper'
import { ROLES } from '@vaani/service-kit/service/service-settings'
import { createEvents } from '@vaani/service-kit/telemetry/events'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { createMeter, type Labels, type Meter } from '@vaani/service-kit/telemetry/meter'
import { declareResourceMetrics } from '@vaani/service-kit/service/resource-metrics'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { declareCarrierMetrics, features } from './features.ts'

/** Labels whose values are constants in the code, or names in the operator's file of carriers, which makes them safe. Before adding one, check where its values come from. */
const LABELS = [
  'operation',
  'status',
  'state',
  'store',
  'queue',
  'quantile',
  'outcome',
  'reason',
  'event',
  'sweep',
  'carrier',
]
/** Maximum number of series per process. */
const MOST_SERIES = 10_300
/** Labels that Prometheus adds or generates. */
const ADDED_LABELS = ['job', 'instance', 'le']
const SWEEPS = ['any']
/** An operator's file names a few. */
const CARRIERS = ['simulator', 'line', 'line 2']

const declared = new Map<string, { type: keyof Meter; labels: Labels; buckets: number }>()
const { registry, ...meter } = createMeter()
function note(
  type: keyof Meter,
  description: { name: string; labels?: Labels; buckets?: readonly number[] },
): void {
  const { name, labels = {}, buckets = [] } = description
  declared.set(name, { type, labels, buckets: buckets.length })
}
const noting: Meter = {
  counter(description) {
    note('counter', description)
    return meter.counter(description)
  },
  gauge(description) {
    note('gauge', description)
    return meter.gauge(description)
  },
  histogram(description) {
    note('histogram', description)
    return meter.histogram(description)
  },
}
features.declareMetrics(noting)
declareRequestMetrics(
  noting,
  listRoutes(features.contract).map(({ metadata }) => metadata.operation),
)
declareResourceMetrics(noting)
declareSweepMetrics(noting, SWEEPS)
declareCarrierMetrics(noting, CARRIERS)
createEvents(createLogger('silent'), noting, [...features.events, 'upload_cut'])

const ofProcess = new Registry()
collectDefaultMetrics({ register: ofProcess })
const series = new Set([
  'up',
  ...ofProcess.getMetricsAsArray().map(({ name }) => name),
  ...registry.getMetricsAsArray().map(({ name }) => name),
  ...[...declared].flatMap(([name, { type }]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
])

const read = (name: string) => readFileSync(new URL(`../../../docs/operate/${name}`, import.meta.url), 'utf8')
const alertSchema = z.strictObject({
  alert: z.string().regex(/^Vaani[A-Za-z]+$/),
  expr: z.string(),
  for: z
    .string()
    .regex(/^\d+m$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string() }),
})
const rulesSchema = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(alertSchema) })),
})
const panelSchema = z.object({
  id: z.number(),
  title: z.string(),
  targets: z.array(z.object({ expr: z.string() })).default([]),
})
const alerts = rulesSchema.parse(parse(read('alerts.yaml'))).groups.flatMap(({ rules }) => rules)
const { panels } = z.object({ panels: z.array(panelSchema) }).parse(JSON.parse(read('dashboard.json')))
const manual = read('README.md')

const expressions = [
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) =>
    // Grafana replaces the variable with a duration.
    targets.map(({ expr }) => [title, expr.replaceAll('$__rate_interval', '5m')] as const),
  ),
]

/** Returns the parts of an expression that are of the given kinds, in order. */
function partsOf(expression: string, kinds: readonly string[]): { kind: string; text: string }[] {
  const parts: { kind: string; text: string }[] = []
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      const kind = type.isError ? 'error' : type.name
      if (kinds.includes(kind)) parts.push({ kind, text: expression.slice(from, to) })
    },
  })
  return parts
}

const nameOf = (selector: string) => /^\w+/.exec(selector)?.[0] ?? ''
const metricOf = (name: string) =>
  declared.get(name) ?? declared.get(name.replace(/_(bucket|sum|count)$/, ''))

describe.each(expressions)('%s: %s', (_, expression) => {
  test('is PromQL', () => {
    expect(partsOf(expression, ['error'])).toEqual([])
    expect(partsOf(expression, ['VectorSelector'])).not.toEqual([])
  })

  test('queries series that the server exports', () => {
    for (const { text } of partsOf(expression, ['VectorSelector'])) {
      const name = nameOf(text)
      expect(series).toContain(name)
      for (const { text: matcher } of partsOf(text, ['UnquotedLabelMatcher'])) {
        const [, label = '', operator = '', value = ''] =
          /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(matcher) ?? []
        if (ADDED_LABELS.includes(label)) continue
        const values = metricOf(name)?.labels[label] ?? []
        const pattern = operator.includes('~') ? new RegExp(`^(?:${value})$`) : null
        expect([matcher, values.some((one) => pattern?.test(one) ?? one === value)]).toEqual([matcher, true])
      }
    }
    for (const { text } of partsOf(expression, ['GroupingLabels'])) {
      const known = partsOf(expression, ['VectorSelector']).flatMap(({ text }) =>
        Object.keys(metricOf(nameOf(text))?.labels ?? {}),
      )
      for (const label of text.match(/\w+/g) ?? []) expect([...known, ...ADDED_LABELS]).toContain(label)
    }
  })
})

test('each alert has its paragraph, and each paragraph its alert', () => {
  const headings = Array.from(manual.matchAll(/^### (.+)$/gm), ([, heading]) => heading)
  expect(headings).toEqual(alerts.map(({ alert }) => alert))
  expect(new Set(headings).size).toBe(headings.length)
})

test('the paragraphs name existing panels', () => {
  const named = Array.from(manual.matchAll(/(?<![\w`])_([A-Z][^_\n]*)_(?![\w`])/g), ([, title = '']) => title)
  expect(named.length).toBeGreaterThan(5)
  for (const title of named)
    expect([title, panels.some((panel) => panel.title.startsWith(title))]).toEqual([title, true])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
})

test('all metrics are on the dashboard or in an alert', () => {
  const shown = new Set(
    expressions.flatMap(([, expression]) =>
      partsOf(expression, ['VectorSelector']).map(({ text }) =>
        nameOf(text).replace(/_(bucket|sum|count)$/, ''),
      ),
    ),
  )
  expect([...declared.keys()].filter((name) => !shown.has(name))).toEqual([])
})

test('labels have closed lists of values, which no request can extend', () => {
  for (const [name, { labels }] of declared)
    for (const [label, values] of Object.entries(labels)) {
      expect([name, LABELS.includes(label)]).toEqual([name, true])
      expect(values.length).toBeGreaterThan(0)
      for (const value of values) expect(value).toMatch(/^[a-zA-Z0-9_. ]{1,60}$/)
    }
  const all = [...declared.values()].map(({ type, labels, buckets }) => {
    const combinations = Object.values(labels).reduce((product, values) => product * values.length, 1)
    return type === 'histogram' ? combinations * (buckets + 3) : combinations
  })
  expect(all.reduce((sum, count) => sum + count, 0)).toBeLessThan(MOST_SERIES)
})

const probeSchema = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) })
const deploymentSchema = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.tuple([
          z.object({
            name: z.enum(ROLES),
            env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
            ports: z.array(z.strictObject({ name: z.string(), containerPort: z.number() })),
            startupProbe: probeSchema,
            livenessProbe: probeSchema,
            readinessProbe: probeSchema,
          }),
        ]),
      }),
    }),
  }),
})

test('the manifest of a cluster probes each role where it listens', () => {
  const containers = parseAllDocuments(read('kubernetes.yaml')).map(
    (document) => deploymentSchema.parse(document.toJS()).spec.template.spec.containers[0],
  )
  expect(containers.map(({ name }) => name)).toEqual(ROLES)
  for (const { name, env, ports, startupProbe, livenessProbe, readinessProbe } of containers) {
    const config = features.settings.read(Object.fromEntries(env.map((one) => [one.name, one.value])))
    expect(config.roles).toEqual(new Set([name]))
    const listening = { ...(name === 'api' && { http: config.port }), metrics: config.metricsPort }
    expect(Object.fromEntries(ports.map((one) => [one.name, one.containerPort]))).toEqual(listening)
    const port = name === 'api' ? 'http' : 'metrics'
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
      { path: contract.system.health.path, port },
      { path: contract.system.health.path, port },
      { path: contract.system.ready.path, port },
    ])
  }
})
