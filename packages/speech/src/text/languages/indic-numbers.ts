import type { Language } from '../language.ts'

type Counter = NonNullable<Language['counters']>[number]

/** Years of the second millennium are counted in hundreds: `19 सौ 99`. */
export const inHundreds = (value: number, hundred: string): string =>
  value < 1100 || value >= 2000
    ? String(value)
    : `${Math.floor(value / 100)} ${hundred}${value % 100 === 0 ? '' : ` ${value % 100}`}`

/**
 * Years after a word that says so, or before a postposition. Quantities such as `1500 से` are counted in the same way.
 *
 * @param options.before - source of a pattern of the words before a year
 * @param options.after - source of a pattern of what may follow other numbers that are read as years
 */
export function yearCounter(options: { hundred: string; before: string; after: string }): Counter {
  const { hundred, before, after } = options
  return {
    pattern: new RegExp(
      String.raw`(?<=(?<![\p{L}\p{M}])(?:${before}) )1[1-9]\d\d(?![\p{N}%]|[.,:/-]\d)|(?<![\p{L}\p{M}\p{N}.,:/+$€£₹-]|[$€£₹#] )1[5-9]\d\d(?=(?:${after})(?![\p{L}\p{M}]))`,
      'gu',
    ),
    say: ([year]) => inHundreds(Number(year), hundred),
  }
}

/**
 * Halves have words of their own: `1.5 लाख`, `2.5 घंटे`, `3½ किलोग्राम`.
 *
 * @param options.nouns - source of a pattern of what decimals count in this way
 */
export function halfCounter(options: {
  words: Readonly<Record<0 | 1 | 2 | 'more', string>>
  nouns: string
}): Counter {
  const { words, nouns } = options
  return {
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{M}\p{N}.,:/+-])(?<whole>\d{1,2})(?:(?:\.| दशमलव )5(?= (?:${nouns})(?![\p{L}\p{M}]))| (?:और|र) आधा(?= ))`,
      'gu',
    ),
    say({ groups: { whole = '' } = {} }) {
      const count = Number(whole)
      return count === 0 || count === 1 || count === 2 ? words[count] : `${words.more} ${count}`
    },
  }
}
