import { expect, test } from 'vitest'
import { readyPages } from './ready-pages.ts'

const pages = (...sizes: (number | null)[]) => sizes.map((bytes, index) => ({ number: index + 4, bytes }))

test.each<[string, (number | null)[], { upTo: number; hasMore: boolean }]>([
  ['none while the first has not ended', [null, 5], { upTo: 0, hasMore: false }],
  ['those before a gap', [5, 5, null, 5], { upTo: 5, hasMore: false }],
  ['as many as fit', [60, 40, 1], { upTo: 5, hasMore: true }],
  ['one that is larger', [500, 1], { upTo: 4, hasMore: true }],
  ['nothing of an empty rest', [], { upTo: 0, hasMore: false }],
])('sends %s', (_, sizes, expected) => {
  expect(readyPages(pages(...sizes), 100)).toEqual(expected)
})
