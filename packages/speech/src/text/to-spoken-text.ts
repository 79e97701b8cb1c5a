import { COMMAND_PATTERN, replaceUnspeakable, UNSPEAKABLE_PATTERN } from './speakable-text.ts'
import { languageOf } from './languages/index.ts'
import type { Language } from './language.ts'
import type { Markup } from './markup/markup-reader.ts'
import { applyLexicon, type Lexicon } from './lexicon.ts'
import { speakAbbreviations, speakAcronyms, speakInitials, speakSymbols } from './rules/abbreviations.ts'
import { speakAddresses } from './rules/addresses.ts'
import { plainDigits, simpleEmoji } from './rules/characters.ts'
import { speakNumericDates } from './rules/dates.ts'
import { speakDayMonths } from './rules/day-months.ts'
import { speakDayRanges } from './rules/german-dates.ts'
import { speakShortDates } from './rules/short-dates.ts'
import { speakCodes, speakVersions, speakYears } from './rules/codes.ts'
import { plainAmounts } from './rules/amounts.ts'
import { speakMoney, speakMoneyRanges } from './rules/money.ts'
import { speakParts } from './rules/parts.ts'
import { speakFractions } from './rules/fractions.ts'
import { speakCounters, speakNumbers, speakOrdinals } from './rules/numbers.ts'
import { speakNamedDates } from './rules/named-dates.ts'
import { speakPostalCodes } from './rules/postal-codes.ts'
import { speakPhones } from './rules/phones.ts'
import { speakRanges } from './rules/ranges.ts'
import { speakRoman } from './rules/roman.ts'
import type { Rule } from './rules/rule.ts'
import { speakStreets } from './rules/streets.ts'
import { speakTimeZones } from './rules/time-zones.ts'
import { speakTimes } from './rules/times.ts'
import { speakUnits } from './rules/units.ts'
import { speakVerses } from './rules/verses.ts'
import { speakWeekdays } from './rules/weekdays.ts'
import { writtenSentencesOf } from './written-sentences.ts'
import { applyEdits, joinSpoken, replaceMatches, type SpokenText } from './spoken-text.ts'

/** In the order in which they apply: each sees the words that earlier ones have put in place of signs. */
export const RULES = {
  plainDigits,
  simpleEmoji,
  speakVersions,
  speakAddresses,
  speakCodes,
  speakPostalCodes,
  speakVerses,
  speakWeekdays,
  speakDayRanges,
  speakNumericDates,
  speakShortDates,
  speakDayMonths,
  speakNamedDates,
  speakStreets,
  speakRoman,
  speakYears,
  plainAmounts,
  speakMoneyRanges,
  speakTimeZones,
  speakPhones,
  speakRanges,
  speakTimes,
  speakMoney,
  speakParts,
  speakUnits,
  speakOrdinals,
  speakFractions,
  speakAbbreviations,
  speakInitials,
  speakCounters,
  speakNumbers,
  speakAcronyms,
  speakSymbols,
} satisfies Record<string, Rule>

export interface SpokenTextOptions {
  /** BCP-47. Text in a language without rules keeps its writing, except for the lexicon. */
  language: string
  lexicon?: Lexicon
  /** Whether Markdown and LaTeX are left out; `keep` by default. */
  markup?: Markup
}

/**
 * Writes a text as it is spoken: numbers, dates, times, money, units, telephone numbers, addresses, abbreviations and emoji
 * in words that every engine reads correctly. Plain numbers stay in digits where engines read them correctly. The lexicon
 * applies first, after markup was left out if `markup` says so. The result is text, like the input; nothing in it is markup.
 *
 * Each sentence is spoken by itself, so a text that arrives in pieces gives the same (`createSpokenTextStream`). Takes time
 * linear in the text's length. Never throws.
 *
 * @example
 * toSpokenText('Dr. Rai, $12.50 by 3:30 pm', { language: 'en-US' }).text
 * // 'Doctor Rai, 12 dollars and 50 cents by 3 30 P.M'
 */
export function toSpokenText(text: string, options: SpokenTextOptions): SpokenText {
  const { language, markup = 'keep' } = options
  const sentences = writtenSentencesOf(text, { language, markup })
  return joinSpoken([...sentences].map((sentence) => speakSentence(sentence, options)))
}

/** Speaks one sentence, as `writtenSentencesOf` yields it, by all rules or by some. */
export function speakSentence(
  written: SpokenText,
  options: SpokenTextOptions,
  rules: readonly Rule[] = Object.values(RULES),
): SpokenText {
  const safe = disarm(written)
  const worded = options.lexicon === undefined ? safe : applyLexicon(safe, options.lexicon)
  const language = languageOf(options.language)
  if (language === undefined) return disarm(worded)
  const said = finish(
    rules.reduce((spoken, rule) => rule(spoken, language), worded),
    language,
  )
  // What was put in may complete a command with what stands beside it.
  return disarm(said)
}

/** `speakableText`, with positions. */
const disarm = (spoken: SpokenText): SpokenText =>
  replaceMatches(
    replaceMatches(spoken, UNSPEAKABLE_PATTERN, ([match, separating]) =>
      replaceUnspeakable(match, separating),
    ),
    COMMAND_PATTERN,
    ([start]) => `${start} `,
  )

/** The last step changes characters one for one. */
function finish(spoken: SpokenText, language: Language): SpokenText {
  const text = language.finish?.(spoken.text) ?? spoken.text
  return text.length === spoken.text.length
    ? { ...spoken, text }
    : applyEdits(spoken, [{ start: 0, end: spoken.text.length, text }])
}
