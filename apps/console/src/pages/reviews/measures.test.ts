import { expect, test } from 'vitest'
import { measuresOf } from './measures.ts'

test('a value stands beside its limit, and what missed it comes first', () => {
  const evidence = { luma: 90, glare: 0.1, glare_max: 0.2, sharpness: 12, sharpness_min: 40 }
  expect(measuresOf(evidence)).toEqual([
    { name: 'sharpness', value: 12, limit: { kind: 'min', value: 40 }, isMissed: true },
    { name: 'luma', value: 90, limit: null, isMissed: false },
    { name: 'glare', value: 0.1, limit: { kind: 'max', value: 0.2 }, isMissed: false },
  ])
})

test('a limit without a value is shown as it is', () => {
  expect(measuresOf({ age_min: 18, of: 'front', of_max: 3 })).toEqual([
    { name: 'age_min', value: 18, limit: null, isMissed: false },
    { name: 'of', value: 'front', limit: null, isMissed: false },
    { name: 'of_max', value: 3, limit: null, isMissed: false },
  ])
})
