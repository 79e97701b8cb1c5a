import { applyEdits, type Edit, replaceMatches } from '../spoken-text.ts'
import type { Rule } from './rule.ts'

/** Full-width forms that the rules look for; full-width punctuation stays, because it ends clauses. */
const FULL_WIDTH = /[０-９Ａ-Ｚａ-ｚ％＄＠＆＃＋￥]|(?<=[\d０-９])[．：／－](?=[\d０-９])/gu
const NATIVE_DIGITS = /(?![0-9])\p{Nd}/gu

/** The sign of abbreviation of Devanagari, which engines read by its name. */
const ABBREVIATED = /(?<=[\p{L}\p{M}])॰/gu
/** Soft hyphens and places where a line may break within a word. In other scripts, they are the only ends of words. */
const WITHIN_WORDS =
  /(?<=[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Deva}])[\u00ad\u200b\u2060]+(?=[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Deva}])/gu

/** A decimal point that no digit precedes, at which engines would end a sentence: `.5`. */
const BARE_POINT = /(?<=^|[\s(])(?<minus>[-−]?)\.(?=\d{1,9}(?![\d.\p{L}]))/gu

/**
 * Writes the digits of every script as ASCII, decimals with all their digits, signs of abbreviation as full stops, and words
 * without what is invisible in them.
 */
export const plainDigits: Rule = (spoken, { decimal }) => {
  const edits: Edit[] = []
  for (const { 0: written, index } of spoken.text.matchAll(NATIVE_DIGITS))
    edits.push({ start: index, end: index + written.length, text: String(digitValue(written)) })
  const plain = replaceMatches(applyEdits(spoken, edits), FULL_WIDTH, ([written]) =>
    written.normalize('NFKC'),
  )
  return replaceMatches(
    replaceMatches(
      decimal === '.' ? replaceMatches(plain, BARE_POINT, ({ groups }) => `${groups?.['minus']}0.`) : plain,
      ABBREVIATED,
      () => '.',
    ),
    WITHIN_WORDS,
    () => '',
  )
}

/** Digits of a script follow each other from a zero (Unicode Standard, 4.6), so a digit is as far from it as its value. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  // Sets of digits that follow each other directly, such as those of mathematics, start at a multiple of ten.
  return code >= 0x1_d7_ce && code <= 0x1_d7_ff ? (code - 0x1_d7_ce) % 10 : value
}

const MODIFIERS = String.raw`[\u{1f3fb}-\u{1f3ff}\ufe0e\ufe0f]{0,3}`
const EMOJI = new RegExp(
  String.raw`(\p{Extended_Pictographic})${MODIFIERS}(?:\u200d\p{Extended_Pictographic}${MODIFIERS}){0,8}(?:\s?\1${MODIFIERS}){0,64}|([\d#*])\ufe0f?\u20e3`,
  'gu',
)

/**
 * Reduces each emoji to its first character, once: engines know the names of those, or the language does, and read `thumbs medium`
 * for one with a skin tone. Spaces keep it apart from words.
 */
export const simpleEmoji: Rule = (spoken, { emoji: names }) =>
  replaceMatches(spoken, EMOJI, (match) => {
    const [written, emoji, keycap] = match
    if (keycap !== undefined) return keycap
    if (emoji === undefined || /^[©®™]$/.test(emoji)) return undefined
    const next = spoken.text.charAt(match.index + written.length)
    return `${match.index > 0 && /\S/.test(spoken.text.charAt(match.index - 1)) ? ' ' : ''}${names?.[emoji] ?? emoji}${/[\p{L}\p{N}]/u.test(next) ? ' ' : ''}`
  })
