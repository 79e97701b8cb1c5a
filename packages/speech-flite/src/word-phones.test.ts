import { beforeEach, expect, test } from 'vitest'
import { SILENCE, type Segment } from './segments.ts'
import { createWordPhones } from './word-phones.ts'

/** What was said, run by run. */
let said: (readonly string[])[]
beforeEach(() => void (said = []))

/** Says letters as sounds, pauses at each dot, and leaves hyphens out. */
const wordPhones = () =>
  createWordPhones((words) => {
    said.push(words)
    return Array.from(`${words.join('.')}.`.replaceAll('-', ''), (letter, index): Segment => ({
      phone: letter === '.' ? SILENCE : letter,
      start: index,
      end: index + 1,
    }))
  })

test('says plain words once, and all others each time', () => {
  const find = wordPhones()
  const phones = [['a', 'b'], ['4', '2'], [], ['a', 'b']]
  expect(find(['ab', '42', '', 'ab'])).toEqual(phones)
  expect(find(['ab', '42', '', 'ab'])).toEqual(phones)
  expect(said).toEqual([['ab'], ['42'], ['42']])
})

test('words that pause or have no sound never give their phones to others', () => {
  const find = wordPhones()
  expect(find(['ab', 'c.d', '--', 'ef'])).toEqual([['a', 'b'], ['c'], ['d'], ['e', 'f']])
  expect(find(['ab', 'c.d', 'ef'])).toBeUndefined()
  expect(find(['ef', 'ab'])).toEqual([
    ['e', 'f'],
    ['a', 'b'],
  ])
})

test('remembers a bounded number of words, those that were said last', () => {
  const find = wordPhones()
  const many = Array.from({ length: 20_000 }, (_, index) =>
    Array.from(String(index), (digit) => 'abcdefghij'[Number(digit)]).join(''),
  )
  expect(find(many)).toHaveLength(many.length)
  find(many.slice(-100))
  expect(said).toHaveLength(1)
  find(many.slice(0, 1))
  expect(said).toHaveLength(2)
})
