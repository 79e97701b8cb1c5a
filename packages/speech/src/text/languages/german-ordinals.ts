import { toOrdinal } from 'n2words/de-DE'
import { genderOf } from './german-one.ts'

/** Words like an article, without their endings. */
const STEMS = 'k?ein|mein|dein|sein|ihr|unser|euer|eur'
const ARTICLES = 'der|die|das|dem|den|des|am|im|vom|zum|zur|beim|ins|ans|aufs|jeden|jede|jeder'
/** Prepositions after which `der` is in the dative, and the ordinal ends in `-n`: `in der zweiten Klasse`. */
const DATIVE = 'in|an|auf|mit|von|aus|bei|nach|seit|zu|vor|ab|unter|über|hinter|neben|zwischen|gegenüber'
/** A number with a full stop after an article or a word like one. */
const NUMBER = new RegExp(
  String.raw`(?:^|\s)(?:(?:${ARTICLES})|(?<owner>(?:${STEMS})(?:e[mnrs]?)?))\s(?<number>[1-9]\d{0,2})\.$`,
  'iu',
)

/** Whether a number that ends `text` is an ordinal. After `mein`, it may end the sentence, unless a known noun follows. */
export function isGermanOrdinal(text: string, after: string): boolean {
  const match = NUMBER.exec(text)
  if (match === null) return false
  return (
    match.groups?.['owner'] === undefined || genderOf(/^\s*(\p{L}+)/u.exec(after)?.[1] ?? '') !== undefined
  )
}

/** Words after which an ordinal ends in `-n`, those after which it ends in `-e`, and those that leave the ending to it. */
const WEAK = new RegExp(
  String.raw`(?:^|\s)(?:am|vom|zum|zur|beim|im|dem|den|des|(?:${DATIVE})\s+der|bis|seit|ab|nach|vor|(?:${STEMS})e[mnrs])\s+(?:\p{L}+,?\s+(?:dem|den)\s+)?$`,
  'iu',
)
const IN_E = new RegExp(String.raw`(?:^|\s)(?:der|die|das|ins|ans|aufs|(?:${STEMS})e)\s+$`, 'iu')
const STRONG = new RegExp(String.raw`(?:^|\s)(?:${STEMS})\s+$`, 'iu')

/** Inflects an ordinal for what precedes it, and for its noun: `am zweiten`, `der zweite`, `sein zweites Kind`, otherwise `zweiter`. */
export function inflectOrdinal(number: number, before: string, noun = ''): string {
  const stem = toOrdinal(number).replace(/^ein(?=hundert)/, '')
  if (WEAK.test(before)) return `${stem}n`
  if (IN_E.test(before)) return stem
  return STRONG.test(before) && genderOf(noun) === 'neuter' ? `${stem}s` : `${stem}r`
}
