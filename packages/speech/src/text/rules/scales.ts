import type { Forms, Language } from '../language.ts'
import { type Numeral, parseNumeral } from '../numerals.ts'
import { alternatives } from './rule.ts'

/** Source of a pattern of the words for large numbers, without the letters that stand for them beside money alone: `$5M`. */
export const scaleWords = ({ scales }: Language): string =>
  alternatives(Object.keys(scales).filter((scale) => !/^[A-Za-z]{1,2}$/.test(scale)))

/** Counts things by a word for a large number, such as `million` or `crore 25 lakh`: `5 million dollars`, `2 millones de dólares`. */
export function countScaled(numeral: Numeral, scales: string, forms: Forms, language: Language): string {
  const amount = sayScaled(numeral, scales, language)
  const of = language.scaleOf === ' ' ? '{0} ' : `{0}${elide(language, forms.other)}`
  return (forms.many ?? forms.other).replace(/\{0\} ?/, () => of.replace('{0}', amount)).trimEnd()
}

function sayScaled(numeral: Numeral, scales: string, language: Language): string {
  const [scale = '', ...more] = scales.split(/\s+(?=\d)/)
  const known = language.scales[scale] ?? scale
  const said =
    typeof known === 'string' ? `${language.number(numeral)} ${known}` : language.count(numeral, known)
  return more.reduce((all, part) => {
    const [, number = '', word = ''] = /^([\d.]+)\s?(.*)$/.exec(part) ?? []
    const next = parseNumeral(number, language)
    return next === undefined ? `${all} ${part}` : `${all} ${sayScaled(next, word, language)}`
  }, said)
}

/** Counts things whose name follows exact millions as that of what they are: `1000000 de euros`, `2000000 d'euros`. */
export function countExactly(numeral: Numeral, forms: Forms, language: Language): string {
  const isMillions = /^0*$/.test(numeral.fraction) && /[1-9]\d{0,8}0{6}$/.test(numeral.integer)
  if (!isMillions || language.scaleOf === ' ') return language.count(numeral, forms)
  return (forms.many ?? forms.other).replace(
    /\{0\} ?/,
    () => `${language.number({ ...numeral, fraction: '' })}${elide(language, forms.other)}`,
  )
}

/** `millions d'euros`, `millones de dólares`. */
const elide = (language: Language, form: string): string =>
  language.locale === 'fr' && /^\{0\} [aeiouéh]/i.test(form) ? " d'" : language.scaleOf
