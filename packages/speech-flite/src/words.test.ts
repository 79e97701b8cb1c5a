import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordsOf } from './words.ts'

const spoken = (text: string): string[] => wordsOf(text).map((word) => word.spoken)

test.each([
  ['letters lose their accents', 'Zoë’s naïve café', ["Zoe's", 'naive', 'cafe']],
  ['other scripts are transliterated', 'Привет नमस्ते 你好', ['Privet', 'nmste', 'NiHao']],
  ['emoji have names', 'yes 😀', ['yes', ':grinning:']],
  [
    'signs that Flite skips are words',
    'AT&T x<y 5€ z = 3',
    ['AT and T', 'x less than y', '5 euros', 'z', 'equals', 'three'],
  ],
  [
    'integers are said as numbers, unless they are rather years',
    'Nov 20 24 (305) 1,985 in 1984, 007 1500th',
    [
      'Nov',
      'twenty',
      'twenty-four',
      '(three hundred five)',
      'one thousand nine hundred eighty-five',
      'in',
      '1984,',
      '007',
      'one thousand five hundredth',
    ],
  ],
  [
    'thousandths are left to Flite, which spells that word',
    '2000th 10000th. 2100000th 2000000th',
    ['2000th', '10000th.', '2100000th', 'two millionth'],
  ],
  ['marks alone are no words', '… "  - ?! hello', ['hello']],
  [
    'controls and lone surrogates separate words',
    'one\u0000two\u0001three\ud800four',
    ['one', 'two', 'three', 'four'],
  ],
  ['direction marks do not', '\u202eone\u202c t\ufeffwo', ['one', 'two']],
])('%s', (_, text, words) => {
  expect(spoken(text)).toEqual(words)
})

test('a dash between words pauses, as a mark on a word does', () => {
  expect(wordsOf('Wait — no, (stop). Go').map(({ pause }) => pause)).toEqual([
    'clause',
    'clause',
    'sentence',
    'none',
  ])
})

test('words of any text are in order, printable, and short, and no letter is lost', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(fc.constantFrom(...' \n,.&aé5'), fc.string({ unit: 'binary', maxLength: 1 })),
      }),
      (text) => {
        let until = 0
        let rest = ''
        for (const { start, end, spoken: read } of wordsOf(text)) {
          expect(start).toBeGreaterThanOrEqual(until)
          expect(end).toBeGreaterThan(start)
          expect(read).toMatch(/^[ -~]+$/)
          rest += text.slice(until, start)
          until = end
        }
        expect(rest + text.slice(until)).not.toMatch(/[a-zA-Z0-9é]/)
      },
    ),
  )
})
