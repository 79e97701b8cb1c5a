import type { MigrationReport } from '@vaani/contracts/migration'
import { expect, test } from 'vitest'
import { LAYERS, listPeriods } from './mismatch-periods.ts'

const listHours = (count: number): MigrationReport['hours'] =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.parse('2026-11-01T00:00:00Z') + index * 3_600_000).toISOString(),
    stage: 'shadow-10',
    pairs: 10,
    mild: 3,
    serious: 2,
    worst: 1,
    errors: 4,
  }))

test.for([
  [0, 0],
  [1, 1],
  [73, 73],
  [74, 4],
  [90 * 24, 90],
] as const)('%d hours are %d periods, and nothing is lost', ([hours, expected]) => {
  const periods = listPeriods(listHours(hours))
  expect(periods).toHaveLength(expected)
  for (const name of [...LAYERS, 'pairs'] as const) {
    const sum = (counted: readonly Readonly<Record<typeof name, number>>[]): number =>
      counted.reduce((total, one) => total + one[name], 0)
    expect(sum(periods)).toBe(sum(listHours(hours)))
  }
})
