import { expect, test } from 'vitest'
import { findNumber } from './find-number.ts'

const entries = [{ number: '+97714412345' }, { number: '+9771441234' }]

test.each([
  ['+97714412345', 0],
  ['97714412345', 0],
  ['0097714412345', 0],
  ['9771441234', 1],
  ['4412345', undefined],
  ['', undefined],
  [undefined, undefined],
])('%s is the number of entry %s', (called, index) => {
  expect(findNumber(entries, called)).toBe(index === undefined ? undefined : entries[index])
})
