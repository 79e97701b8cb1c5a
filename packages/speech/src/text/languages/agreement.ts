import type { Language } from '../language.ts'

type Gender = 'masculine' | 'feminine' | 'neuter'

/** How a language tells the gender of a noun after a number. Other nouns are left to the engine. */
export interface Agreement {
  /** The mark between groups of digits. */
  groups: '.' | ','
  /** Gender of the noun that a number counts; undefined if the word may be no noun, or does not tell. */
  genderOf(noun: string, count: number): Gender | undefined
  /** Source of a pattern of the words that one thing may follow. After others, `1` is rather a name: `grupo 1`. */
  beforeOne: string
  agree(count: number, gender: Gender): string | undefined
}

const BEFORE_UNITS = 24
/** Numbers that are rather years. */
const YEARS = { from: 1900, to: 2099 } as const

/** Numbers in words that agree with the noun after them: `doscientas personas`, `две недели`. */
export function agreementCounter(agreement: Agreement): NonNullable<Language['counters']>[number] {
  const { groups, genderOf, beforeOne, agree } = agreement
  const isFree = new RegExp(String.raw`(?:^|[.,;:!?¿¡(«"“–—]\s?|(?<!\p{L})(?:${beforeOne})\s)$`, 'iu')
  return {
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{M}\p{N}_.,:/+$€£¥#^-]|[$€£¥#] )(?<number>[1-9]\d{0,2}[${groups}]\d{3}|[1-9]\d{0,5})(?= (?<noun>\p{Ll}{3,24})(?![\p{L}\p{N}'’-]))`,
      'gu',
    ),
    say({ 0: written, index, input, groups: { number = '', noun = '' } = {} }) {
      const count = Number(number.replace(/\D/g, ''))
      if (number.length === 4 && count >= YEARS.from && count <= YEARS.to) return written
      if (count === 1 && !isFree.test(input.slice(Math.max(0, index - BEFORE_UNITS), index))) return written
      const gender = genderOf(noun, count)
      return (gender && agree(count, gender)) ?? written
    },
  }
}

/** Whether a number ends in one or two, as its words do. */
export const endsIn = (count: number, last: number): boolean =>
  count % 10 === last && count % 100 !== last + 10
