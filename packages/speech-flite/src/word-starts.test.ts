import { expect, test } from 'vitest'
import { readSegments } from './segments.ts'
import { findWordStarts } from './word-starts.ts'

const said = readSegments('dh:0.1 iy:0.2 ae:0.3 p:0.4 ax:0.5 l:0.6', 1000)

test('finds words whose phones differ in the phrase', () => {
  expect(
    findWordStarts(said, [
      ['dh', 'ax'],
      ['ae', 'p', 'ax', 'l'],
    ]),
  ).toEqual([0, 200])
})

test('a word without a sound has no start, and the others keep theirs', () => {
  expect(findWordStarts(said, [['dh', 'ax'], [], ['ae', 'p', 'ax', 'l']])).toEqual([0, undefined, 200])
})

test('starts never go back, whatever is aligned', () => {
  const starts = findWordStarts(said, [['l'], ['dh', 'iy'], ['x', 'y', 'z'], ['ae', 'p']])
  const found = starts.filter((start) => start !== undefined)
  expect(found).toEqual(found.toSorted((one, other) => one - other))
})
