import fc from 'fast-check'
import { expect, test } from 'vitest'
import { segmentText } from './segment-text.ts'

const texts = (text: string, language = 'en-US') => segmentText(text, language).map((segment) => segment.text)

test('cuts at the ends of sentences in every script', () => {
  expect(texts('One. Two! Three?')).toEqual(['One.', 'Two!', 'Three?'])
  expect(texts('नमस्ते। म नेपाली बोल्छु।', 'ne-NP')).toEqual(['नमस्ते।', 'म नेपाली बोल्छु।'])
  expect(texts('今日は。東京です。', 'ja-JP')).toEqual(['今日は。', '東京です。'])
})

test('does not cut after abbreviations and initials', () => {
  expect(texts('Dr. Smith paid. J. Doe left.')).toEqual(['Dr. Smith paid.', 'J. Doe left.'])
})

test('begins with a short phrase, so that the first sound comes soon', () => {
  const [first] = texts(
    'Namaste, this is a reminder of the appointment that you have tomorrow at ten in the morning.',
  )
  expect(first?.length).toBeLessThanOrEqual(40)
  const [word] = texts(`${'word '.repeat(30)}.`)
  expect(word?.length).toBeLessThanOrEqual(28)
})

test('pauses longer after a sentence than after a clause', () => {
  const segments = segmentText(
    'In the beginning of this long sentence there is a comma, and then it goes on for some time. End.',
    'en-US',
  )
  const [clause, sentence] = [segments[0]?.pauseMs ?? 0, segments.at(-1)?.pauseMs ?? 0]
  expect(sentence).toBeGreaterThan(clause)
})

test('loses nothing of any text, and makes no segment too long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 1200 }), (text) => {
      const segments = texts(text)
      const squeeze = (value: string) => value.replace(/\s+/gu, '')
      expect(squeeze(segments.join(''))).toBe(squeeze(text))
      for (const segment of segments) {
        expect(segment.trim()).not.toBe('')
        expect(segment.length).toBeLessThanOrEqual(260)
      }
    }),
  )
})

test('cuts a long text without marks or spaces between characters', () => {
  const segments = texts('👩‍👩‍👧'.repeat(100))
  expect(segments.join('')).toBe('👩‍👩‍👧'.repeat(100))
  for (const segment of segments) expect(segment.length % '👩‍👩‍👧'.length).toBe(0)
})
