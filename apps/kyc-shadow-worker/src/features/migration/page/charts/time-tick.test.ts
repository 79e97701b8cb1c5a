import { expect, test } from 'vitest'
import { timeTick } from './time-tick.ts'

test.for([
  ['2026-11-22T00:00:00Z', '22 Nov'],
  ['2026-11-22T17:50:00Z', '17:50'],
  ['2026-11-22T17:50:15Z', '17:50:15'],
] as const)('%s is labelled %s', ([time, label]) => {
  expect(timeTick(new Date(time))).toBe(label)
})
