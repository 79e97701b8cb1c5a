import fc from 'fast-check'
import { Counter, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createMeter, OTHER } from './meter.ts'

const OUTCOMES = ['delivered', 'dead'] as const
const describeOutcomes = { name: 'vaani_outcomes_total', help: 'Outcomes', labels: { outcome: OUTCOMES } }

async function seriesOf(meter: ReturnType<typeof createMeter>, name: string) {
  const metric = await meter.registry.getSingleMetric(name)?.get()
  return metric?.values.map(({ labels, value }) => ({ labels, value })) ?? []
}

test('starts at zero, so that the first count is an increase', async () => {
  const meter = createMeter()
  const outcomes = meter.counter(describeOutcomes)
  expect(await seriesOf(meter, 'vaani_outcomes_total')).toEqual([
    { labels: { outcome: 'delivered' }, value: 0 },
    { labels: { outcome: 'dead' }, value: 0 },
  ])
  outcomes.add({ outcome: 'dead' }, 2)
  expect(await seriesOf(meter, 'vaani_outcomes_total')).toContainEqual({
    labels: { outcome: 'dead' },
    value: 2,
  })
})

test('never exports an unlisted label value, whatever is counted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string(), { minLength: 1, maxLength: 50 }), async (given) => {
      const meter = createMeter()
      // Like a caller that the compiler cannot check.
      const labels: { outcome: readonly string[] } = { outcome: OUTCOMES }
      const counter = meter.counter({ ...describeOutcomes, labels })
      const histogram = meter.histogram({ name: 'vaani_seconds', help: 'Seconds', labels, buckets: [1] })
      const gauge = meter.gauge({ name: 'vaani_now', help: 'Now', labels })
      for (const outcome of given) {
        counter.add({ outcome })
        histogram.observe({ outcome }, 1)
        gauge.follow({ outcome }, () => 1)
      }
      const metrics = await meter.registry.getMetricsAsJSON()
      const shown = metrics.flatMap(({ values }) => values.map(({ labels }) => labels['outcome']))
      for (const value of new Set(shown)) expect([...OUTCOMES, OTHER, undefined]).toContain(value)
    }),
  )
})

test('a gauge is absent if its read fails or returns null', async () => {
  const meter = createMeter()
  const pending = meter.gauge({ name: 'vaani_pending', help: 'Pending' })
  expect(await seriesOf(meter, 'vaani_pending')).toEqual([])
  let read = async (): Promise<number | null> => 3
  pending.follow({}, () => read())
  expect(await seriesOf(meter, 'vaani_pending')).toEqual([{ labels: {}, value: 3 }])
  read = async () => {
    throw new Error('The database is away')
  }
  expect(await seriesOf(meter, 'vaani_pending')).toEqual([])
  expect(await seriesOf(meter, 'vaani_metrics_failed_reads_total')).toEqual([{ labels: {}, value: 1 }])
  read = async () => null
  expect(await seriesOf(meter, 'vaani_pending')).toEqual([])
})

test('exports the same as the library would if it counted by itself, at each scrape', async () => {
  const outcome = fc.constantFrom(...OUTCOMES)
  const scrape = fc.constant('scrape' as const)
  const observation = fc.record({ outcome, seconds: fc.double({ min: 0, max: 10, noNaN: true }) })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(observation, scrape)), async (steps) => {
      const described = { name: 'vaani_seconds', help: 'Seconds', buckets: [0.1, 1, 5] }
      const meter = createMeter()
      const ours = {
        count: meter.counter(describeOutcomes),
        seconds: meter.histogram({ ...described, labels: { outcome: OUTCOMES } }),
        alone: meter.histogram({ ...described, name: 'vaani_alone_seconds' }),
      }
      const registers = [new Registry()]
      const theirs = {
        count: new Counter({ ...describeOutcomes, labelNames: ['outcome'], registers }),
        seconds: new Histogram({ ...described, labelNames: ['outcome'], registers }),
        alone: new Histogram({ ...described, name: 'vaani_alone_seconds', registers }),
      }
      for (const one of OUTCOMES) theirs.count.inc({ outcome: one }, 0)
      const compare = async () => {
        for (const name of ['vaani_outcomes_total', 'vaani_seconds', 'vaani_alone_seconds'])
          expect(await meter.registry.getSingleMetricAsString(name)).toBe(
            await registers[0]?.getSingleMetricAsString(name),
          )
      }
      for (const step of steps)
        if (step === 'scrape') await compare()
        else {
          ours.count.add({ outcome: step.outcome })
          theirs.count.inc({ outcome: step.outcome })
          ours.seconds.observe({ outcome: step.outcome }, step.seconds)
          theirs.seconds.observe({ outcome: step.outcome }, step.seconds)
          ours.alone.observe({}, step.seconds)
          theirs.alone.observe(step.seconds)
        }
      await compare()
    }),
  )
})
