import { expect, test } from 'vitest'
import { ALPHABET } from './glyphs.ts'
import { choicesAt, likeliest, shapesOf } from './grammar.ts'

/** Creates a cell that shows these characters with these likelihoods. */
function cell(likelihoods: Readonly<Record<string, number>>): Float32Array {
  return Float32Array.from(ALPHABET, (character) => likelihoods[character] ?? 0)
}

test('takes what looks like a digit for the letter that may stand there, and the reverse', () => {
  const zeroLike = cell({ '0': 0.75, O: 0.25 })
  expect(likeliest(zeroLike, choicesAt('TD3', 0, 10))).toEqual({ character: 'O', likelihood: 1 })
  expect(likeliest(zeroLike, choicesAt('TD3', 1, 14))).toEqual({ character: '0', likelihood: 1 })
  // Either may stand in a number, so that it stays in doubt.
  expect(likeliest(zeroLike, choicesAt('TD3', 1, 3))).toEqual({ character: '0', likelihood: 0.75 })
})

test('does not make a digit of another letter', () => {
  expect(likeliest(cell({ K: 0.75, '7': 0.25 }), choicesAt('MRV-B', 1, 14))).toEqual({
    character: '7',
    likelihood: 0.25,
  })
})

test('tells shapes by proportion, and tries the others next', () => {
  expect(shapesOf(2, 17.6).map(({ length }) => length)).toEqual([44, 36, 36])
  expect(shapesOf(2, 14.4).map(({ length }) => length)).toEqual([36, 36, 44])
  expect(shapesOf(3, 12).map(({ length }) => length)).toEqual([30])
})
