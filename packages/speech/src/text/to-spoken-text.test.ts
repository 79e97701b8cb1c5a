import { thorough } from '@vaani/test-services/thorough'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileTexts } from '../conformance/hostile-text.ts'
import { SPOKEN_LANGUAGES } from './languages/index.ts'
import { createLexicon } from './lexicon.ts'
import { originalRange } from './spoken-text.ts'
import { createSpokenTextStream } from './spoken-text-stream.ts'
// Each row was compared with what eSpeak NG reads, as phonemes, and with CLDR.
import cases from './test/spoken-text.json' with { type: 'json' }
import { toSpokenText } from './to-spoken-text.ts'

const CASES: Readonly<Record<string, Readonly<Record<string, string>>>> = cases

test('there are cases for every language', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(SPOKEN_LANGUAGES.toSorted())
})

describe.each(SPOKEN_LANGUAGES)('%s', (language) => {
  const rows = Object.entries(CASES[language] ?? {})
  const speak = (text: string) => toSpokenText(text, { language }).text

  test.each(rows)('speaks %s', (written, spoken) => {
    expect(speak(written)).toBe(spoken)
  })

  test('speaks the same in the middle of a sentence', () => {
    const changed = rows.filter(([written]) => !/[.!?。।]/.test(written))
    expect(changed.length).toBeGreaterThan(2)
    for (const [written, spoken] of changed)
      expect(speak(`a, ${written}, b`), written).toBe(`a, ${spoken}, b`)
  })

  test.runIf(/^(?:ja|zh)/.test(language))(
    'speaks the same between words, because there are no spaces',
    () => {
      const signs = rows.filter(([written]) => /^[\d$¥]/.test(written))
      expect(signs.length).toBeGreaterThan(2)
      for (const [written, spoken] of signs) expect(speak(`今${written}也`), written).toBe(`今${spoken}也`)
    },
  )

  // There is no day 0, no month 99 and no zeroth.
  test.each(['0', '1', '9'])('speaks numbers whose digits are all %s', (digit) => {
    for (const [written] of rows) expect(speak(written.replaceAll(/\p{Nd}/gu, digit)), written).toMatch(/\S/)
  })

  test('leaves what it has spoken as it is', () => {
    for (const [written] of rows) expect(speak(speak(written)), written).toBe(speak(written))
  })
})

test('leaves a language without rules as it is', () => {
  expect(toSpokenText('5 km, $3', { language: 'fi-FI' }).text).toBe('5 km, $3')
})

test.each([
  ['en', 'March 4th, 20 25'],
  ['en-CA', 'March 4th, 20 25'],
  ['en-IN', 'the 3rd of April 20 25'],
  ['EN-nz', 'the 3rd of April 20 25'],
])('English of %s has dates in the order of its region', (language, spoken) => {
  expect(toSpokenText('03/04/2025', { language }).text).toBe(spoken)
})

test.each([
  [
    'en-IN',
    'Rs. 1,25,000.50, ₹ 5 lakh, 3/4/2025',
    '125000 rupees and 50 paise, 5 lakh rupees, the 3rd of April 20 25',
  ],
  ['en-Latn-IN-x-bank', '3/4/2025', 'the 3rd of April 20 25'],
  ['en-GU', '3/4/2025', 'March 4th, 20 25'],
  ['en-NZ', 'NZ$5, $5', '5 New Zealand dollars, 5 dollars'],
  [
    'es-AR',
    '$1.234,50, $1,05, US$5 el 1/4/2025',
    '1234 pesos con 50, un peso con 5 centavos, 5 dólares el primero de abril de 2025',
  ],
  ['es-CO', '$1.000, 1,5 km', '1000 pesos, 1,5 kilómetros'],
  ['es-US', '$1,000.50 el 3/4/2025', '1000 dólares con 50 el 3 de abril de 2025'],
  ['es-PR', '3/4/2025', '4 de marzo de 2025'],
  ['es-ES', '$5 el 1/4/2025', '5 dólares el 1 de abril de 2025'],
  ['pt-AO', 'R$ 5, 1 de abril', '5 reais brasileiros, 1 de abril'],
  ['zh-SG', '$5', '五新加坡元'],
  ['zh-CN', '$5', '五美元'],
  ['zh-Hant', '1.5', '一點五'],
  ['de-CH', 'CHF 1’234.50', '1234 Schweizer Franken 50'],
])('text of %s is read by the rules of its region', (language, written, spoken) => {
  expect(toSpokenText(written, { language }).text).toBe(spoken)
})

test.each([
  ['de-DE', 'am 0/5'],
  ['fr-FR', 'le 0/5'],
  ['en-US', 'on 0/5'],
])('text of %s has no day or month 0', (language, written) => {
  expect(toSpokenText(written, { language }).text).toBe(written)
})

test('English of a region keeps its rules in any case', () => {
  for (const language of ['en-AU', 'en-au', 'EN-AU'])
    expect(toSpokenText('$5, A$5', { language }).text).toBe('5 dollars, 5 dollars')
})

test.each([
  ['fr-FR', '1 034 068 200 habitants', '1034068200 habitants'],
  ['ru-RU', '1 050 000 000 рублей', '1050000000 рублей'],
])('in %s, groups of a number are no telephone number', (language, written, spoken) => {
  expect(toSpokenText(written, { language }).text).toBe(spoken)
})

test('markup, commands and lists stay text', () => {
  const speak = (text: string) => toSpokenText(text, { language: 'en-US' }).text
  expect(speak('<break time="2s"/> &amp; x<y')).toBe('<break time="2s"/> &amp; x<y')
  expect(speak('one\u0001two [[h@l]]')).toBe('one two [ [h@l] ]')
  expect(
    toSpokenText('a [x[y', {
      language: 'en-US',
      lexicon: createLexicon([{ term: 'x', spoken_as: '' }]),
    }).text,
  ).toBe('a [ [y')
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.nat().map((seed) => [...hostileTexts({ rows: 1, seed })].at(-1) ?? ''),
  // Rows of the cases, in any order, in any language.
  fc
    .array(fc.constantFrom(...Object.values(CASES).flatMap((rows) => Object.keys(rows))), { maxLength: 12 })
    .map((rows) => rows.join(' ')),
  fc
    .array(fc.constantFrom(...'0123456789.,:/-+$€% kmAB.a@h年月日۵५\n'), { maxLength: 80 })
    .map((characters) => characters.join('')),
)
const anyLanguage = fc.constantFrom(...SPOKEN_LANGUAGES, 'fi-FI')

test('never throws and never empties a text with letters', () => {
  fc.assert(
    fc.property(anyText, anyLanguage, (text, language) => {
      const spoken = toSpokenText(text, { language }).text
      if (/\p{L}/u.test(text.replaceAll(/[\u{e0000}-\u{e007f}]/gu, '')))
        expect(spoken).toMatch(/[\p{L}\p{N}]/u)
    }),
    { numRuns: thorough({ usual: 150, long: 500 }) },
  )
})

test('a text in pieces is spoken like the whole', () => {
  fc.assert(
    fc.property(anyText, anyLanguage, fc.array(fc.nat(40)), (text, language, lengths) => {
      const stream = createSpokenTextStream({ language })
      let [spoken, starts] = ['', [] as number[]]
      const take = (part: ReturnType<typeof stream.flush>) => {
        spoken += part.text
        starts = [...starts, ...part.starts]
      }
      let at = 0
      for (const length of lengths) {
        take(stream.push(text.slice(at, at + length)))
        at += length
      }
      take(stream.push(text.slice(at)))
      take(stream.flush())
      const whole = toSpokenText(text, { language })
      expect(spoken).toBe(whole.text)
      expect(starts).toEqual(whole.starts)
    }),
    { numRuns: thorough({ usual: 150, long: 500 }) },
  )
})

test('a number that is split over pieces is one number, and a sentence is spoken once the next begins', () => {
  const stream = createSpokenTextStream({ language: 'en-US' })
  expect(stream.push('It costs $1').text).toBe('')
  expect(stream.push('2.').text).toBe('')
  expect(stream.push('50. Do').text).toBe('')
  expect(stream.push(' you').text).toBe('It costs 12 dollars and 50 cents. ')
  expect(stream.flush().text).toBe('Do you')
})

test('positions lead back to the original', () => {
  const text = 'Pay $12.50 to Dr. Rai. Call 555-123-4567 👍🏽!'
  const spoken = toSpokenText(text, { language: 'en-US' })
  const originalOf = (words: string) => {
    const start = spoken.text.indexOf(words)
    const range = originalRange(spoken, { start, end: start + words.length })
    return text.slice(range.start, range.end)
  }
  expect(originalOf('Pay')).toBe('Pay')
  expect(originalOf('dollars')).toBe('$12.50')
  expect(originalOf('to Doctor Rai')).toBe('to Dr. Rai')
  expect(originalOf('1 2 3')).toBe('555-123-4567')
  expect(originalOf('👍')).toBe('👍🏽')
  expect(originalOf('!')).toBe('!')
})

test('positions are in order and within the text', () => {
  fc.assert(
    fc.property(anyText, anyLanguage, (text, language) => {
      const { text: spoken, starts, ends } = toSpokenText(text, { language })
      expect([starts.length, ends.length]).toEqual([spoken.length, spoken.length])
      for (const [index, start] of starts.entries()) {
        expect(start).toBeGreaterThanOrEqual(starts[index - 1] ?? 0)
        expect(ends[index]).toBeGreaterThanOrEqual(start)
        expect(ends[index]).toBeLessThanOrEqual(text.length)
      }
    }),
  )
})
