import type { Numeral, NumberFormat } from './numerals.ts'

export interface CalendarDate {
  year?: number
  /** 1 to 12. */
  month?: number
  day?: number
}

export interface ClockTime {
  hour: number
  minute: number
  /** Above 0. */
  second?: number
  half?: 'am' | 'pm' | undefined
}

/** Forms of an amount by plural category (CLDR); `{0}` is the number. The gender is that of the thing counted. */
export interface Forms {
  other: string
  zero?: string
  one?: string
  two?: string
  few?: string
  many?: string
  feminine?: boolean
  neuter?: boolean
  /** What is said for so much of something else per one of this; `{0}` is the amount. */
  per?: string
}

/** Names of symbols in addresses and between numbers. */
export interface SymbolNames {
  minus: string
  plus: string
  /** Between the ends of a range, as in `5 to 10`. */
  to: string
  and: string
  at: string
  dot: string
  slash: string
  dash: string
  underscore: string
  colon: string
  equals: string
  question: string
  hash: string
  percent: string
  tilde: string
  /** Between the sides of what is measured, as in `2 by 3`. */
  by: string
  /** After the base of a power; `{0}` is the exponent. */
  power: string
}

/** How a language speaks what is not written as words. Digits in its results are those that engines read correctly. */
export interface Language extends NumberFormat {
  /** Locale for plural rules and names from CLDR. */
  locale: string
  symbols: SymbolNames
  /** Order of day, month and year in dates such as `3/4/2026`. */
  dateOrder: 'dmy' | 'mdy' | 'ymd'
  number(numeral: Numeral): string
  /** Reads digits one by one. */
  digits(digits: string): string
  /** Counts things, with the number in the right gender. */
  count(numeral: Numeral, forms: Forms): string
  /** `before` is the text before the date, on which inflection may depend. */
  date(date: CalendarDate, before: string): string
  /** `before` is the text before the time, on which inflection may depend. */
  time(time: ClockTime, before?: string): string
  /** Sources of patterns of words around a time that `time` speaks itself: `Uhr`, `saa`. */
  clockWords?: { before?: string; after?: string }
  /** Speaks an ordinal that is written with `suffix`, before the text `after`; undefined if engines read it correctly as it is. */
  ordinal(number: number, suffix: string, after: string): string | undefined
  /** Source of a pattern of the suffixes of ordinals. */
  ordinalSuffix?: string
  /** Amounts of a currency, if they differ from the names in CLDR: `dollars`, not `US dollars`. */
  currencies: Readonly<Record<string, Forms>>
  /** The currencies that `$` and `Rs` stand for. */
  dollar: string
  rupee: string
  /** Words and letters for large numbers between an amount and its currency: `million`, or its forms if they agree. */
  scales: Readonly<Record<string, string | Forms>>
  /** Source of a pattern of words that are written together with the one before: `लाखसम्म`. */
  postpositions?: string
  /** Joins such a word and the currency: `millones de dólares`. */
  scaleOf: string
  /** Whether groups of two digits in a telephone number are read as one number. */
  readsPairs: boolean
  /** What joins an amount and its hundredths, and from how many on they need no name; undefined if they are read as decimals. */
  hundredths: { join: string; bareFrom?: number } | undefined
  /** Hundredths by currency. */
  cents: Readonly<Record<string, Forms>>
  /** Units by symbol. */
  units: Readonly<Record<string, Forms>>
  /** Names of ½, ¼ and ¾, and of other fractions that have a sign: ⅓, ⅔, ⅕ to ⅘, ⅙, ⅚, ⅛ to ⅞. */
  fractions: Readonly<Record<string, string>>
  /** Names other fractions, such as 3/7 and 31/17; undefined if a name would not be understood. */
  fraction?(over: number, under: number): string | undefined
  /** Says a part of a unit, `half a kilometer`, unless it is said as so many of them. `unit` is one unit by itself. */
  part?(part: { name: string; isHalf: boolean; unit: string; forms: Forms }): string
  /** Says a part that follows whole units, `dos kilos y medio`, in languages in which it does not precede the unit. */
  partAfter?(part: { name: string; isHalf: boolean; forms: Forms }): string
  /** What follows a whole number instead of “and” and ½: `2 et demi`. */
  mixedHalf?: string
  /** What stands between a whole number and a fraction instead of “and” between spaces. */
  mixed?: string
  /** One, before a fraction, if engines count it in another way: `ein einhalb`. */
  mixedOne?: string
  /**
   * Abbreviations with their full forms. ` #` after both stands for a following number, ` Aa` for a capitalized word; before the
   * abbreviation, `# ` for a number, `# Aa ` for a house number and a street, `Aa ` for a capitalized word, `, ` for a part of an address, `( ` for the start or a mark outside of one, `~` for the word that it ends. A full form that ends
   * with a full stop may end a sentence.
   */
  abbreviations: Readonly<Record<string, string>>
  /** Common words of addresses in the language's own script, which engines would read letter by letter. */
  addressWords?: Readonly<Record<string, string>>
  /** Spells the letters of an acronym in Latin script. */
  spell(letters: string): string
  /** Numbers with words that change them or change with them. */
  counters?: readonly { pattern: RegExp; say: (match: RegExpExecArray) => string }[]
  /** Names of emoji that engines do not know. */
  emoji?: Readonly<Record<string, string>>
  /** Last step, on the whole text. */
  finish?(text: string): string
}
