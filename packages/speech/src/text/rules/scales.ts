import type { Forms, Language } from '../language.ts'
import { type Numeral, parseNumeral } from '../numerals.ts'
import { alternatives } from './rule.ts'

/** Source of a pattern of the words for large numbers, without the letters that stand for them beside money alone: `$5M`. */
export const scaleWords = ({ scales }: Language): string =>
  alternatives(Object.keys(scales).filter((scale) => !/^[A-Za-z]{1,2}$/.test(scale)))

/** Counts things by a word for a large number, such as `million` or `crore 25 lakh`: `5 million dollars`, `2 millones de dólares`. */
export function countScaled(numeral: Numeral, scales: string, forms: Forms, language: Language): string {
  const inFull = inThousands(numeral, scales, language)
  if (inFull !== undefined) return language.count(inFull, forms)
  const amount = sayScaled(numeral, scales, language)
  const of = language.scaleOf === ' ' || THOUSAND.test(amount) ? '{0} ' : `{0}${elide(language, forms.other)}`
  return (forms.many ?? forms.other).replace(/\{0\} ?/, () => of.replace('{0}', amount)).trimEnd()
}

/** Says a number with a word for a large number, or with several: `1 crore 25 lakh`. */
export function sayScaled(numeral: Numeral, scales: string, language: Language): string {
  const [scale = '', ...more] = scales.split(/\s+(?=\d)/)
  const known = language.scales[scale] ?? nameOf(scale, language)
  const said =
    typeof known === 'string' ? `${language.number(numeral)} ${known}` : language.count(numeral, known)
  return more.reduce((all, part) => {
    const [, number = '', word = ''] = /^([\d.]+)\s?(.*)$/.exec(part) ?? []
    const next = parseNumeral(number, language)
    return next === undefined ? `${all} ${part}` : `${all} ${sayScaled(next, word, language)}`
  }, said)
}

/** Both words of `lakh crore`. */
const nameOf = (scale: string, { scales }: Language): string =>
  scale
    .split(' ')
    .map((word) => {
      const known = scales[word]
      return typeof known === 'string' ? known : word
    })
    .join(' ')

/** A numeral, which nothing joins to what it counts: `300 mil euros`. */
const THOUSAND = /(?:^| )mil(?:le)?$/

/** One thousand and parts of thousands as they are said: `1,5 mil` is mil quinientos. */
function inThousands(numeral: Numeral, scale: string, language: Language): Numeral | undefined {
  const { negative, integer, fraction } = numeral
  const isPlain = fraction === '' && integer !== '1'
  if (isPlain || fraction.length > 3 || !THOUSAND.test(nameOf(scale, language))) return undefined
  return { negative, integer: (integer + fraction.padEnd(3, '0')).replace(/^0+(?=\d)/, ''), fraction: '' }
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
