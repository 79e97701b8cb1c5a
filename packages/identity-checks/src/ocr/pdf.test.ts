import { expect, test } from 'vitest'
import { textOf } from './layout.ts'
import { type PlacedCharacter, toBlocks } from './pdf.ts'

/** Places letters of 10 by 20 pixels. */
const place = (text: string, x: number, y: number): PlacedCharacter[] =>
  Array.from(text, (letter, index) => ({
    text: letter,
    box: { x: x + index * 10, y, width: 10, height: 20 },
  }))
const BREAK: PlacedCharacter[] = ['\r', '\n'].map((text) => ({ text, box: null }))

test('makes words, lines and blocks of characters', () => {
  const { blocks } = toBlocks([
    ...place('Dear reader,', 0, 0),
    ...BREAK,
    ...place('hello', 0, 30),
    ...BREAK,
    ...BREAK,
    ...place('far below', 0, 200),
    ...BREAK,
    ...place('aside', 500, 225),
  ])
  expect(textOf(blocks)).toBe('Dear reader,\nhello\n\nfar below\n\naside')
  expect(blocks[0]?.lines[0]?.words).toEqual([
    { text: 'Dear', confidence: 1, box: { x: 0, y: 0, width: 40, height: 20 } },
    { text: 'reader,', confidence: 1, box: { x: 50, y: 0, width: 70, height: 20 } },
  ])
  expect(toBlocks(BREAK).blocks).toEqual([])
})

test('repairs characters that break off', () => {
  expect(textOf(toBlocks(place('a\ud83d', 0, 0)).blocks)).toBe('a\ufffd')
})
