import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  currentTraceparent,
  describeActiveSpan,
  formatTraceparent,
  parseTraceparent,
  within,
} from './active-span.ts'

const SPAN = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const TEXT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test('a span is active in its work, but not in work started without a span', async () => {
  expect(currentTraceparent()).toBeNull()
  expect(describeActiveSpan()).toEqual({})
  await within(SPAN, async () => {
    await turn()
    expect(currentTraceparent()).toBe(TEXT)
    expect(describeActiveSpan()).toEqual({ trace_id: SPAN.traceId, span_id: SPAN.spanId })
    await within(null, async () => {
      await turn()
      expect(currentTraceparent()).toBeNull()
    })
    expect(currentTraceparent()).toBe(TEXT)
  })
  expect(currentTraceparent()).toBeNull()
})

test('a formatted traceparent can be parsed', () => {
  expect(parseTraceparent(formatTraceparent(SPAN))).toEqual({ ...SPAN, isSampled: true })
})

test.each([
  [TEXT.replace(/01$/, '00'), false],
  [TEXT.replace(/01$/, '03'), true],
  // From a later version, with additional fields.
  [`${TEXT.replace(/^00/, '42')}-more`, true],
])('reads %s', (text, isSampled) => {
  expect(parseTraceparent(text)).toEqual({ ...SPAN, isSampled })
})

test.each([
  '',
  'hello',
  TEXT.toUpperCase(),
  TEXT.replace(/^00/, 'ff'),
  TEXT.replace(SPAN.traceId, '0'.repeat(32)),
  TEXT.replace(SPAN.spanId, '0'.repeat(16)),
  TEXT.slice(0, -1),
  `${TEXT}1`,
  ` ${TEXT}`,
])('does not read %j', (text) => {
  expect(parseTraceparent(text)).toBeNull()
})
