import { replaceMatches } from '../spoken-text.ts'
import type { Rule } from './rule.ts'

const END = String.raw`(?:\d{1,3}|1\d{3}|2[01]\d{2}|\d{1,9}[.,:]\d{1,3})`
const RANGE = new RegExp(
  String.raw`(?<=(?<![\p{sc=Latn}\p{sc=Cyrl}\d][.,:]?|[-–])${END}(?: ?[ap]m)?) ?[-–~〜] ?(?=[$€£₹¥]?${END}(?![\d]|[.,:]\d|\s?[-–]\s?\d))`,
  'gu',
)

/** Reads the dash between the ends of a range: `5–10`, `$5-$10`, `1990–2000`, `9:00–17:00`. Equal ends are none: `50-50`. */
export const speakRanges: Rule = (spoken, language) =>
  replaceMatches(spoken, RANGE, ({ 0: written, index }) => {
    if (written === ' - ') return undefined
    const start = /\d+$/.exec(spoken.text.slice(Math.max(0, index - 16), index))?.[0]
    const end = /^\d+/.exec(spoken.text.slice(index + written.length, index + written.length + 16))?.[0]
    return start === end ? ' ' : ` ${language.symbols.to} `
  })
