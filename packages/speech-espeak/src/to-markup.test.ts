import fc from 'fast-check'
import { expect, test } from 'vitest'
import { separateKana, toContinuedMarkup, toMarkup } from './to-markup.ts'

test.each([
  ['AT&T <b>', 'AT&amp;T &lt;b>'],
  ['&lt;&#1;', '&amp;lt;&amp;#1;'],
  ['\u000199H\u0000[[h@l]]', ' 99H [ [h@l] ]'],
  ['one\u0530two\u0557three', 'one two three'],
  ['नमस्ते “क्\u200dष” 👩‍👩‍👧', 'नमस्ते “क्\u200dष” 👩‍👩‍👧'],
])('turns %j into %j', (text, markup) => {
  expect(toMarkup(text)).toBe(markup)
})

test('separates kana from kanji', () => {
  expect(separateKana('お電話ください。予約はサービス中です')).toBe(
    'お 電話 ください。予約 はサービス 中 です',
  )
})

test.each([
  ['Hello.', 'Hello. .'],
  ['“नमस्ते।”', '“नमस्ते।” .'],
  ['one, two,', 'one, two, .'],
  ['Dear Sita', 'Dear Sita\n\n.'],
])('ends %j with a pause if it goes on', (text, markup) => {
  expect(toContinuedMarkup(text)).toBe(markup)
})

test('no text yields a tag, a command, or a reference other than the escapes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const markup = toMarkup(text)
      expect(markup).not.toMatch(/<|&(?!amp;|lt;)|(?![\t\n\r])\p{Cc}|[\u0530\u0557]|\[\[/u)
    }),
  )
})
