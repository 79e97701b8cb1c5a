import { readFileSync } from 'node:fs'
import { listRoutes } from '@vaani/contracts/openapi'
import { declareRequestSpans } from '@vaani/service-kit/http/observe/request-spans'
import { NO_TRACES, type SpanFields, type Tracer } from '@vaani/service-kit/telemetry/tracer'
import { expect, test } from 'vitest'
import { features } from './features.ts'
import { traceSettings } from '@vaani/service-kit/settings/trace-settings'

/** Safe fields: our ids, numbers, and constants in the code. Before adding one, check where its values come from. */
const IDS = [
  'vaani.request_id',
  'vaani.account_id',
  'vaani.call_id',
  'vaani.verification_id',
  'vaani.event_id',
  'vaani.object_id',
  'vaani.endpoint_id',
]
const NUMBERS = ['vaani.attempt', 'http.response.status_code']
const WORDS = ['vaani.outcome', 'vaani.event_type', 'error.type']

const declared = new Map<string, { fields: SpanFields; constants: Readonly<Record<string, string>> }>()
const noting: Tracer = {
  isOn: true,
  declare(description) {
    const { name, fields, constants = {} } = description
    expect([name, declared.has(name)]).toEqual([name, false])
    declared.set(name, { fields, constants })
    return NO_TRACES.declare(description)
  },
}
features.declareSpans(noting)
const ofFeatures = [...declared.keys()]
declareRequestSpans(noting, listRoutes(features.contract))

const manual = readFileSync(new URL('../../../docs/operate/traces.md', import.meta.url), 'utf8')
/** Cells of all table rows. */
const rows = manual
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test('spans have closed fields, which no request can fill with its own text', () => {
  for (const [name, { fields, constants }] of declared) {
    for (const [field, allowed] of Object.entries(fields)) {
      const list = allowed === 'id' ? IDS : allowed === 'number' ? NUMBERS : WORDS
      expect([name, field, list.includes(field)]).toEqual([name, field, true])
      if (typeof allowed !== 'string') for (const word of allowed) expect(word).toMatch(/^[a-z_.-]{1,40}$/)
    }
    // The route template, never the path.
    for (const [field, value] of Object.entries(constants))
      expect(value).toMatch(field === 'http.route' ? /^(?:\/:?[a-z0-9_-]+)+$/ : /^[A-Z]+$/)
  }
})

test('the guide lists exactly the declared spans and their fields', () => {
  const guided = Object.fromEntries(
    rows
      .filter(([, span = '', , fields = '']) => /^`[a-z.]+`$/.test(span) && fields.startsWith('`'))
      .map(([, span = '', , fields = '']) => [
        span.replaceAll('`', ''),
        fields.replaceAll(/[`\s]/g, '').split(','),
      ]),
  )
  const spans = ofFeatures.map((name) => [name, Object.keys(declared.get(name)?.fields ?? {}).toSorted()])
  expect(
    Object.fromEntries(Object.entries(guided).map(([span, fields]) => [span, fields.toSorted()])),
  ).toEqual(Object.fromEntries(spans))
  const [, , , ofRequests = ''] = rows.find(([, span]) => span === 'the operation’s name') ?? []
  const placed = declared.get('calls.place')
  expect(ofRequests.replaceAll(/[`\s]/g, '').split(',').toSorted()).toEqual(
    [...Object.keys(placed?.fields ?? {}), ...Object.keys(placed?.constants ?? {})].toSorted(),
  )
})

test('the guide lists every variable', () => {
  for (const variable of traceSettings.variables.filter(
    (name) => name !== 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  ))
    expect(manual).toContain(`\`${variable}\``)
})

test('health checks and documents are not traced', () => {
  expect([...declared.keys()]).toContain('calls.place')
  expect([...declared.keys()].filter((name) => name.startsWith('system.'))).toEqual([])
})
