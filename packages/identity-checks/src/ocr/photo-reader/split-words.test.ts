import { expect, test } from 'vitest'
import { decodeLetters, type Letter, parseAlphabet } from './decode-letters.ts'
import { splitWords } from './split-words.ts'

const ALPHABET = parseAlphabet('0\n1\nA\n漢\n')

/** Scores of a model: the class that is likeliest at each step, by the letter of the dictionary, or `_` for none. */
function scoresOf(steps: readonly (readonly [letter: string, score: number])[]): Float32Array {
  const scores = new Float32Array(steps.length * ALPHABET.letters.length)
  for (const [step, [letter, score]] of steps.entries())
    scores[step * ALPHABET.letters.length + (letter === '_' ? 0 : ALPHABET.letters.indexOf(letter))] = score
  return scores
}

test('reads a letter once for equal steps, and twice if nothing was between', () => {
  const steps = [
    ['A', 0.6],
    ['A', 0.9],
    ['_', 0.9],
    ['A', 0.8],
    ['1', 0.7],
  ] as const
  const letters = decodeLetters(scoresOf(steps), ALPHABET)
  expect(letters.map(({ text }) => text).join('')).toBe('AA1')
  expect(letters[0]).toMatchObject({ confidence: expect.closeTo(0.9, 5), at: 0.2 })
  expect(decodeLetters(new Float32Array(0), ALPHABET)).toEqual([])
})

test('reads no letters of other scripts', () => {
  expect(
    decodeLetters(
      scoresOf([
        ['漢', 0.9],
        ['0', 0.8],
      ]),
      ALPHABET,
    ).map(({ text }) => text),
  ).toEqual(['0'])
})

/** A line of letters of a width, with ink in the middle of each, at these places. */
function drawLine(text: string, places: readonly number[]) {
  const [width, height] = [400, 48]
  const data = new Uint8Array(width * height).fill(230)
  for (const place of places)
    for (let y = 12; y < 36; y++) data.fill(20, y * width + place - 6, y * width + place + 6)
  const letters: Letter[] = [...text].map((letter, index) => ({
    text: letter,
    confidence: 1 - index / 100,
    at: (places[index] ?? 0) / width,
  }))
  return { letters, cut: { data, width, height } }
}
const wordsOf = ({ letters, cut }: ReturnType<typeof drawLine>) =>
  splitWords(letters, cut).map(({ text }) => text)

test('splits a line at gaps of its ink, and at spaces that were read', () => {
  expect(wordsOf(drawLine('07JUN', [20, 36, 68, 84, 100]))).toEqual(['07', 'JUN'])
  expect(wordsOf(drawLine('07JUN', [20, 36, 52, 68, 84]))).toEqual(['07JUN'])
  const spaced = drawLine('AB', [20, 36])
  const space = { text: ' ', confidence: 0.9, at: 0.07 }
  expect(wordsOf({ ...spaced, letters: spaced.letters.toSpliced(1, 0, space) })).toEqual(['A', 'B'])
})

test('a word is as certain as its least certain letter, and lies where its letters are', () => {
  const { letters, cut } = drawLine('07JUN', [20, 36, 68, 84, 100])
  const [first, second] = splitWords(letters, cut)
  expect(first?.confidence).toBe(0.99)
  expect(second?.confidence).toBe(0.96)
  expect(first?.end).toBeLessThanOrEqual(second?.start ?? 0)
  expect(second?.start).toBeLessThan(68 / 400)
  expect(second?.end).toBeGreaterThan(100 / 400)
  expect(splitWords([], cut)).toEqual([])
})
