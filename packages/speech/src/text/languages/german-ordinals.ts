import { toOrdinal } from 'n2words/de-DE'
import { genderOf } from './german-one.ts'

/** Words like an article, without their endings. */
const STEMS = 'k?ein|mein|dein|sein|ihr|unser|euer|eur'
/** Source of a pattern of the words after which a number with a full stop is an ordinal. */
export const BEFORE_ORDINAL = `der|die|das|dem|den|des|am|im|vom|zum|zur|beim|jeden|jede|jeder|(?:${STEMS})(?:e[mnrs]?)?`

/** Words after which an ordinal ends in `-n`, those after which it ends in `-e`, and those that leave the ending to it. */
const WEAK = new RegExp(
  String.raw`(?:^|\s)(?:am|vom|zum|beim|im|dem|den|des|bis|seit|ab|nach|vor|(?:${STEMS})e[mnrs])\s+(?:\p{L}+,?\s+(?:dem|den)\s+)?$`,
  'iu',
)
const IN_E = new RegExp(String.raw`(?:^|\s)(?:der|die|das|(?:${STEMS})e)\s+$`, 'iu')
const STRONG = new RegExp(String.raw`(?:^|\s)(?:${STEMS})\s+$`, 'iu')

/** Inflects an ordinal for what precedes it, and for its noun: `am zweiten`, `der zweite`, `sein zweites Kind`, otherwise `zweiter`. */
export function inflectOrdinal(number: number, before: string, noun = ''): string {
  const stem = toOrdinal(number).replace(/^ein(?=hundert)/, '')
  if (WEAK.test(before)) return `${stem}n`
  if (IN_E.test(before)) return stem
  return STRONG.test(before) && genderOf(noun) === 'neuter' ? `${stem}s` : `${stem}r`
}
