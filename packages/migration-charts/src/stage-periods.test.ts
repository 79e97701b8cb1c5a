import { expect, test } from 'vitest'
import { EMPTY_REPORT, EXAMPLE_REPORT } from './example-report.ts'
import { listStagePeriods } from './stage-periods.ts'

test('periods follow each other without a gap, up to the time of the report', () => {
  const periods = listStagePeriods(EXAMPLE_REPORT)
  expect(periods.map(({ stage }) => stage)).toEqual([
    'shadow-1',
    'shadow-10',
    'shadow-1',
    'shadow-10',
    'shadow-25',
  ])
  periods.slice(1).forEach(({ from }, index) => expect(from).toEqual(periods[index]?.to))
  expect(periods.at(-1)?.to.toISOString()).toBe(EXAMPLE_REPORT.generated_at)
})

test('begins with the first known stage', () => {
  const hours = EXAMPLE_REPORT.hours.map((hour, index) =>
    index === 0 ? { ...hour, at: '2026-11-01T00:00:00.000Z' } : hour,
  )
  expect(listStagePeriods({ ...EXAMPLE_REPORT, hours })[0]).toMatchObject({
    stage: 'off',
    from: new Date('2026-11-01T00:00:00.000Z'),
  })
})

test('without changes, the present stage is the only one', () => {
  expect(listStagePeriods(EMPTY_REPORT).map(({ stage }) => stage)).toEqual(['off'])
})

test('changes of the kill switch and of the evidence begin no period', () => {
  const [change] = EXAMPLE_REPORT.changes
  const changes = change ? [{ ...change, kind: 'kill_switch' as const, from_stage: change.to_stage }] : []
  expect(listStagePeriods({ ...EXAMPLE_REPORT, changes }).map(({ stage }) => stage)).toEqual(['shadow-25'])
})
