import type { MigrationReport } from '@vaani/contracts/migration'
import { describe, expect, test } from 'vitest'
import { drawLatencies } from './draw-latencies.ts'
import { drawMismatches } from './draw-mismatches.ts'
import { drawOutcomes } from './draw-outcomes.ts'
import { drawRates } from './draw-rates.ts'
import { drawStages } from './draw-stages.ts'
import type { Drawing, Shape } from './drawing.ts'
import { EMPTY_REPORT, EXAMPLE_REPORT } from './example-report.ts'
import { listPeriods } from './mismatch-periods.ts'
import type { ChartWords } from './words.ts'

const WORDS: ChartWords = {
  stages: {
    off: 'off',
    'shadow-1': '1 %',
    'shadow-10': '10 %',
    'shadow-25': '25 %',
    'shadow-50': '50 %',
    'shadow-100': '100 %',
    live: 'live',
    complete: 'complete',
  },
  severities: { mild: 'mild', serious: 'serious', worst: 'worst' },
  outcomes: {
    waiting: 'waiting',
    not_sent: 'not sent',
    primary_failed: 'v1 failed',
    candidate_failed: 'v2 failed',
    unfinished: 'unfinished',
    unreadable: 'unreadable',
    mismatched: 'mismatched',
    callback_missing: 'no callback',
    agreed: 'agreed',
  },
  count: String,
  share: String,
  duration: (ms) => `${ms} ms`,
  day: (day) => String(day.getUTCDate()),
}

const drawAll = (report: MigrationReport): Drawing[] =>
  (['narrow', 'wide'] as const).flatMap((size) => [
    drawStages(report, WORDS, size),
    drawRates(report.rates, WORDS, size),
    drawMismatches(listPeriods(report.hours), WORDS, size),
    drawLatencies(report.latencies, WORDS, size),
    drawOutcomes(report.outcomes, WORDS, size),
  ])

/** The numbers of a shape that say where it is. */
const placesOf = ({ attributes: { x = 0, x1 = x, x2 = x, cx = x, width = 0 } }: Shape) => [
  x,
  x + width,
  x1,
  x2,
  cx,
]
const ofColour = ({ shapes }: Drawing, colour: string) =>
  shapes.filter(({ element, attributes }) => element === 'rect' && attributes.fill === `var(--${colour})`)

test.for([
  ['the example', EXAMPLE_REPORT],
  ['an empty report', EMPTY_REPORT],
] as const)('%s is drawn inside its edges, with no number that is none', ([, report]) => {
  for (const { width, shapes } of drawAll(report))
    for (const shape of shapes)
      for (const place of placesOf(shape)) {
        expect(place).toBeGreaterThanOrEqual(0)
        expect(place).toBeLessThanOrEqual(width)
      }
})

describe('the chart of the stages', () => {
  test('has a bar for each period, in the colour of the version that answers, and marks what was rolled back', () => {
    const drawing = drawStages(EXAMPLE_REPORT, WORDS, 'wide')
    expect(ofColour(drawing, 'v1')).toHaveLength(5)
    expect(drawing.shapes.filter(({ text }) => text === '↩')).toHaveLength(1)
    const migration = { ...EXAMPLE_REPORT.migration, stage: 'live' as const }
    expect(ofColour(drawStages({ ...EMPTY_REPORT, migration }, WORDS, 'wide'), 'v2')).toHaveLength(1)
  })
})

describe('the chart of the rates', () => {
  test('draws each rate between its bounds', () => {
    const { shapes } = drawRates(EXAMPLE_REPORT.rates, WORDS, 'wide')
    const points = shapes.filter(({ element }) => element === 'circle')
    const bounds = shapes.filter(({ attributes }) => attributes.strokeWidth === 8)
    expect(points).toHaveLength(3)
    points.forEach(({ attributes: { cx = 0 } }, index) => {
      expect(cx).toBeGreaterThanOrEqual(bounds[index]?.attributes.x1 ?? Infinity)
      expect(cx).toBeLessThanOrEqual(bounds[index]?.attributes.x2 ?? 0)
    })
  })

  test('draws no rate that nothing was observed of', () => {
    const rates = EXAMPLE_REPORT.rates.map((rate) => ({ ...rate, trials: 0 }))
    expect(drawRates(rates, WORDS, 'wide').shapes.some(({ element }) => element === 'circle')).toBe(false)
  })
})

describe('the chart of the mismatches', () => {
  test('stacks the layers of a period', () => {
    const periods = [
      { from: new Date(0), to: new Date(3_600_000), pairs: 10, worst: 1, serious: 0, mild: 4, errors: 0 },
    ]
    const drawing = drawMismatches(periods, WORDS, 'narrow')
    const [worst, mild] = ['worst', 'mild'].map((layer) => ofColour(drawing, layer)[0]?.attributes)
    expect(worst?.y).toBeCloseTo((mild?.y ?? 0) + (mild?.height ?? 0), 0)
    expect(mild?.height).toBeCloseTo(4 * (worst?.height ?? 0), 0)
    expect(ofColour(drawing, 'serious')).toEqual([])
  })
})

describe('the chart of the latencies', () => {
  test('has a bar for each bucket, and the median and the 99th percentile of each version', () => {
    const latencies = EXAMPLE_REPORT.latencies.filter(({ measure }) => measure === 'answer')
    const drawing = drawLatencies(latencies, WORDS, 'wide')
    const [v1, v2] = latencies
    expect(ofColour(drawing, 'v1')).toHaveLength(v1?.buckets.length ?? 0)
    expect(ofColour(drawing, 'v2')).toHaveLength(v2?.buckets.length ?? 0)
    expect(drawing.shapes.filter(({ attributes }) => attributes.strokeWidth === 2)).toHaveLength(4)
  })
})

describe('the chart of the outcomes', () => {
  test('has the best at the top, with its number', () => {
    const { shapes } = drawOutcomes(EXAMPLE_REPORT.outcomes, WORDS, 'wide')
    expect(shapes.filter(({ text }) => text !== '').map(({ text }) => text)).toEqual([
      'agreed',
      '5083',
      'mismatched',
      '63',
      'unreadable',
      '3',
      'v2 failed',
      '61',
      'waiting',
      '14',
    ])
  })
})
