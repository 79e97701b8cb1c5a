import { TracerProvider } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import type { TraceSettings } from '../settings/trace-settings.ts'
import { createTracer } from './create-tracer.ts'
import { createSampling } from './sampling.ts'

const TRACES = 4000
/** Six standard deviations of a share of a quarter. */
const TOLERANCE = 0.041
const ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const KEPT = `00-${ID}-00f067aa0ba902b7-01`
const DROPPED = `00-${ID}-00f067aa0ba902b7-00`

/** Returns the share of `TRACES` traces that is kept at a ratio of a quarter. */
function shareKept(name: TraceSettings['sampler'], parent?: string): number {
  const { sampler, mayStart } = createSampling({ sampler: name, ratio: 0.25 })
  const tracer = createTracer(new TracerProvider({ sampler }).getTracer('test'), mayStart)
  const source = tracer.declare({ name: 'test.work', kind: 'server', fields: {} })
  const kept = Array.from({ length: TRACES }, () => source.startTrace({ parent })).filter(Boolean)
  return kept.length / TRACES
}

test.each([
  { sampler: 'always_on', ofNew: 1, ofKept: 1, ofDropped: 1 },
  { sampler: 'always_off', ofNew: 0, ofKept: 0, ofDropped: 0 },
  // The same id each time, which lies above the first quarter of all ids.
  { sampler: 'traceidratio', ofNew: 0.25, ofKept: 0, ofDropped: 0 },
  { sampler: 'parentbased_always_on', ofNew: 1, ofKept: 1, ofDropped: 0 },
  { sampler: 'parentbased_always_off', ofNew: 0, ofKept: 1, ofDropped: 0 },
  { sampler: 'parentbased_traceidratio', ofNew: 0.25, ofKept: 1, ofDropped: 0 },
] as const)('$sampler keeps the share that it says', ({ sampler, ofNew, ofKept, ofDropped }) => {
  expect(Math.abs(shareKept(sampler) - ofNew)).toBeLessThan(TOLERANCE)
  expect(shareKept(sampler, KEPT)).toBe(ofKept)
  expect(shareKept(sampler, DROPPED)).toBe(ofDropped)
})
