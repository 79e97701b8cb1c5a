import fc from 'fast-check'
import { expect, test } from 'vitest'
import { phrasesOf } from './phrases.ts'
import { wordsOf } from './words.ts'

const phrases = (text: string): string[] =>
  phrasesOf(wordsOf(text)).map((phrase) => phrase.map(({ spoken }) => spoken).join(' '))

test('the first clause is a phrase of its own, so that its sound comes early', () => {
  expect(phrases('Good morning, this is a reminder, as you asked, of the appointment')).toEqual([
    'Good morning,',
    'this is a reminder, as you asked, of the appointment',
  ])
})

test('a word or two are too short for a phrase', () => {
  expect(phrases('No, I am not')).toEqual(['No, I am not'])
})

test('an abbreviation stays with what follows', () => {
  expect(phrases('A letter from Dr. Smith is here')).toEqual(['A letter from Dr. Smith is here'])
})

test('phrases have all words of any text, and a bounded length', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aé ,.—'), maxLength: 2000 }), (text) => {
      const words = wordsOf(text)
      expect(phrasesOf(words).flat()).toEqual(words)
      for (const phrase of phrases(text)) expect(phrase.length).toBeLessThanOrEqual(141)
    }),
  )
})
