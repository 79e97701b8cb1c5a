import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { createLexicon, type LexiconEntry, LexiconError } from './lexicon.ts'
import { toSpokenText } from './to-spoken-text.ts'

afterEach(() => vi.restoreAllMocks())

const speak = (text: string, entries: readonly LexiconEntry[], language = 'fi-FI') =>
  toSpokenText(text, { language, lexicon: createLexicon(entries) }).text

test.each([
  ['whole words only', 'cat concatenate cats', [['cat', 'kitty']], 'kitty concatenate cats'],
  ['any case', 'Vaani VAANI vaani', [['vaani', 'vah nee']], 'vah nee vah nee vah nee'],
  [
    'the case of the text first',
    'Polish polish POLISH',
    [
      ['Polish', 'A'],
      ['polish', 'B'],
    ],
    'A B B',
  ],
  [
    'the longest term',
    'New York City, New York',
    [
      ['New York', 'N'],
      ['New York City', 'C'],
    ],
    'C, N',
  ],
  [
    'the last of equal terms',
    'x',
    [
      ['x', 'one'],
      ['x', 'two'],
    ],
    'two',
  ],
  ['terms with punctuation', 'C++ and C.', [['C++', 'see plus plus']], 'see plus plus and C.'],
  ['composed and decomposed letters', 'café cafe\u0301 cafe', [['cafe\u0301', 'K']], 'K K cafe'],
  ['no letter without its marks', 'की क', [['क', 'K']], 'की K'],
  ['scripts without spaces', '我在北京市', [['北京', 'B']], '我在B市'],
  ['ß like ss', 'STRASSE Straße', [['straße', 'S']], 'S S'],
  ['letters outside of the basic plane', '𝒳 𝒳𝒳', [['𝒳', 'X']], 'X 𝒳𝒳'],
  ['white space of any kind', 'New\tYork', [['New York', 'N']], 'N'],
  ['a term that is left out', 'one two', [['two', '']], 'one '],
  [
    'what is put in only once',
    'a b',
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    'b a',
  ],
] as const)('replaces %s', (_, text, rows, spoken) => {
  expect(
    speak(
      text,
      rows.map(([term, spoken_as]) => ({ term, spoken_as })),
    ),
  ).toBe(spoken)
})

test('applies before the rules, whose words it may use', () => {
  expect(speak('5G costs $5', [{ term: '5G', spoken_as: 'five gee' }], 'en-US')).toBe(
    'five gee costs 5 dollars',
  )
  expect(speak('the KYC', [{ term: 'KYC', spoken_as: 'know your customer' }], 'en-US')).toBe(
    'the know your customer',
  )
})

test('puts in no command', () => {
  expect(speak('x', [{ term: 'x', spoken_as: '\u000199H [[h]]' }])).toBe(' 99H [ [h] ]')
})

test.each([
  [{ term: ' ', spoken_as: 'x' }, 'entries[1].term'],
  [{ term: '!?', spoken_as: 'x' }, 'entries[1].term'],
  [{ term: 'a'.repeat(101), spoken_as: 'x' }, 'entries[1].term'],
  [{ term: 'a', spoken_as: 'x'.repeat(201) }, 'entries[1].spoken_as'],
])('refuses %j', (entry, field) => {
  const build = () => createLexicon([{ term: 'ok', spoken_as: 'x' }, entry])
  expect(build).toThrow(LexiconError)
  expect(build).toThrow(expect.objectContaining({ field }))
})

test('looks at each character a bounded number of times, with thousands of terms', () => {
  const entries = Array.from({ length: 5000 }, (_, index) => ({
    term: `${'a '.repeat(index % 45)}a${index}`,
    spoken_as: 'x',
  }))
  const lexicon = createLexicon(entries)
  const text = 'a '.repeat(4000)
  const looks = vi.spyOn(String.prototype, 'codePointAt')
  for (let at = 0; at < text.length; at++) lexicon.find(text, at)
  expect(looks.mock.calls.length).toBeLessThanOrEqual(3 * 101 * text.length)
})

test('finds every term in any text of words', () => {
  const word = fc.constantFrom('ab', 'Äß', 'नेपाल', 'x1', 'é', 'foo')
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), word, (words, term) => {
      const spoken = speak(words.join(' '), [{ term, spoken_as: '#' }])
      expect(spoken).toBe(words.map((one) => (one === term ? '#' : one)).join(' '))
    }),
  )
})
