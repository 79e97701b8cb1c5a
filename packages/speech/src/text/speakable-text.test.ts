import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileTexts } from '../conformance/hostile-text.ts'
import { speakableText } from './speakable-text.ts'

test.each([
  ['a command of eSpeak NG', '\u000199H\u00012F hello', ' 99H 2F hello'],
  ['a null byte', 'one\u0000two', 'one two'],
  ['an escape sequence', 'one\u001b[31mtwo', 'one [31mtwo'],
  ['C1 controls', 'one\u009btwo\u0085three', 'one two three'],
  ['halves of pairs', 'one\ud83dtwo\udfff', 'one two '],
  ['private use and noncharacters', 'one\ue03ctwo\ufdd0three\u{f0000}\u{10ffff}', 'one two three  '],
  ['replacement and annotation characters', 'one\ufffdtwo\ufff9\ufffa', 'one two  '],
  ['phonemes of eSpeak NG and of macOS', 'the array [[1,2],[3,4]] is', 'the array [ [1,2],[3,4] ] is'],
  ['brackets with an invisible character between', '[\u200d[h@l]\u00ad]', '[ \u200d[h@l] \u00ad]'],
  ['brackets separated only by a removed character', '[\u202e[x]\u0001]', '[ [x] ]'],
  ['a command of DECtalk', '[:rate 300]', '[ :rate 300]'],
  ['a command behind a backslash', 'one \\pau=9000\\ two \\Rst\\', 'one \\ pau=9000\\ two \\ Rst\\'],
  ['a tag outside an emoji', 'one\u{e0061}\u{e007f}two', 'onetwo'],
])('disarms %s', (_, text, spoken) => {
  expect(speakableText(text)).toBe(spoken)
})

test('drops direction marks, which separate no words', () => {
  expect(speakableText('Hello \u2068Sita\u2069\u200f, \u202bשלום\u202c')).toBe('Hello Sita, שלום')
  expect(speakableText('\ufeffHello')).toBe('Hello')
})

test.each([
  'Plain text, with “quotes” – and dashes… 100 % (or [some] {brackets}) of it: C:\\Users, a_b, #1 & <2>.',
  'line one\nline two\r\n\n\ttabbed',
  'क्\u200dष र\u200dय क्\u200cष नमस्ते, तपाईंलाई कस्तो छ।',
  'می\u200cخواهم، سلامٌ',
  'ภาษาไทย\u200bไม่มีช่องว่าง',
  'Donau\u00addampf\u2060schiff',
  '👩‍👩‍👧 👍🏽 🏳️‍🌈 1️⃣ 🇳🇵 ☎︎',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} England',
  'e\u0301\u0302 \u034f Z̸̧͎ ｆｕｌｌ 𝒳 𠮷 한국어 中文。日本語、',
  'ʻOkina d’accord l·l rock ’n’ roll',
])('leaves legitimate text unchanged: %s', (text) => {
  expect(speakableText(text)).toBe(text)
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.nat(0xff_ff)).map((units) => String.fromCharCode(...units)),
  fc.nat().map((seed) => [...hostileTexts({ rows: 1, seed })].at(-1) ?? ''),
)

test('any result is well-formed, contains no command, and is a fixed point', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const spoken = speakableText(text)
      expect(spoken.isWellFormed()).toBe(true)
      expect(spoken).not.toMatch(/(?![\t\n\r])\p{Cc}|\p{Co}|\p{Noncharacter_Code_Point}/u)
      expect(spoken).not.toMatch(/\[[^\p{L}\p{N}\p{P}\p{S}\s]*[[:]|\][^\p{L}\p{N}\p{P}\p{S}\s]*\]/u)
      expect(speakableText(spoken)).toBe(spoken)
    }),
  )
})

test('keeps letters, marks and digits of any text in order, and joins no words', () => {
  const words = (text: string) => text.match(/[\p{L}\p{M}\p{Nd}]+/gu) ?? []
  fc.assert(
    fc.property(anyText, (text) => {
      // Direction marks separate no words.
      const unmarked = text.replaceAll(
        /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu,
        '',
      )
      expect(words(speakableText(text))).toEqual(words(unmarked))
    }),
  )
})
