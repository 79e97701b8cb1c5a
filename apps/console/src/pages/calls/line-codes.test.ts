import { expect, test } from 'vitest'
import { causeInWords, satisfactionOf, statusInWords } from './line-codes.ts'

test('a status and a cause are followed by their names, if those are known', () => {
  expect([486, 499].map(statusInWords)).toEqual(['486 Busy Here', '499'])
  expect([17, 99].map(causeInWords)).toEqual(['17 User busy', '99'])
})

test('a score says how satisfied listeners are', () => {
  expect([4.5, 4.34, 4.33, 4.03, 3.6, 3.1, 2.58, 2.57, 1].map(satisfactionOf)).toEqual([
    'best',
    'best',
    'high',
    'high',
    'medium',
    'low',
    'poor',
    'bad',
    'bad',
  ])
})
