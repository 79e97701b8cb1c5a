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

test('does not cut within a sentence, where engines would end it', () => {
  const sentence =
    'Namaste, this is a reminder of the appointment that you have tomorrow, at ten in the morning, with the doctor.'
  expect(texts(sentence)).toEqual([sentence])
})

test('continues a wrapped line, and ends a line that stands alone', () => {
  expect(texts('This is wrapped\nin the middle.')).toEqual(['This is wrapped\nin the middle.'])
  expect(texts('Dear Sita\nYour appointment is tomorrow.')).toEqual([
    'Dear Sita',
    'Your appointment is tomorrow.',
  ])
})

test('cuts a sentence that is too long at a clause mark, else between words', () => {
  const clauses = segmentText('This is a clause of a very long sentence, '.repeat(20), 'en-US')
  expect(
    clauses.slice(0, -1).every(({ text, pauseMs }) => text.endsWith('sentence,') && pauseMs === 120),
  ).toBe(true)
  const [words] = segmentText('word '.repeat(200), 'en-US')
  expect(words).toMatchObject({ text: 'word '.repeat(80).trim(), pauseMs: 0 })
})

test('pauses longer after a sentence than after a clause', () => {
  const segments = segmentText(`${'This is a clause of a long sentence, '.repeat(12)}end. Next.`, 'en-US')
  expect(segments.map(({ pauseMs }) => pauseMs)).toEqual([120, 290, 290])
})

test('loses nothing of any text, and makes no segment too long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 1200 }), (text) => {
      const segments = texts(text)
      const squeeze = (value: string) => value.replace(/\s+/gu, '')
      expect(squeeze(segments.join(''))).toBe(squeeze(text))
      for (const segment of segments) {
        expect(segment.trim()).not.toBe('')
        expect(segment.length).toBeLessThanOrEqual(400)
      }
    }),
  )
})

test('cuts a long text without marks or spaces between characters', () => {
  const segments = texts(`a${'👩‍👩‍👧'.repeat(100)}`)
  expect(segments.length).toBeGreaterThan(2)
  expect(segments.join('')).toBe(`a${'👩‍👩‍👧'.repeat(100)}`)
  for (const segment of segments.slice(1)) expect(segment.length % '👩‍👩‍👧'.length).toBe(0)
})
