import { expect, test } from 'vitest'
import { idAfter } from './only-row.ts'

test.each([
  ['aud_01kamx3v6pf9hr2x8c0q5d7etn', 'aud_01kamx3v6pf9hr2x8c0q5d7etp'],
  ['aud_01kamx3v6pf9hr2x8c0q5d7ezz', 'aud_01kamx3v6pf9hr2x8c0q5d7f00'],
])('the id after %j is %j', (id, after) => {
  expect(idAfter(id)).toBe(after)
})
