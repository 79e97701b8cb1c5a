import { expect, test } from 'vitest'
import { type Turn, wordAt } from './place-of-word.ts'

const TURN: Turn = {
  speaker: 'agent',
  language: 'en-US',
  text: 'Good morning, Sita.',
  start_ms: 100,
  end_ms: 1200,
  words: [
    { text: 'Good ', start_ms: 140 },
    { text: 'morning, ', start_ms: 380 },
    { text: 'Sita.', start_ms: 900 },
  ],
}

test.each([
  [0, -1],
  [139, -1],
  [140, 0],
  [379, 0],
  [380, 1],
  [899, 1],
  [900, 2],
  [1199, 2],
  [1200, -1],
])('at %i ms word %i is said', (atMs, word) => expect(wordAt(TURN, atMs)).toBe(word))
