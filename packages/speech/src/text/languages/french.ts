import { toOrdinal as frenchOrdinal } from 'n2words/fr-FR'
import { defineLanguage, monthName } from '../define-language.ts'
import type { Language } from '../language.ts'
import { unitsOf } from '../units.ts'

const FRENCH_SYMBOLS = {
  minus: 'moins',
  plus: 'plus',
  to: 'à',
  and: 'et',
  at: 'arobase',
  dot: 'point',
  slash: 'slash',
  dash: 'tiret',
  underscore: 'tiret bas',
  colon: 'deux-points',
  equals: 'égale',
  question: "point d'interrogation",
  hash: 'dièse',
  percent: 'pour cent',
  tilde: 'tilde',
}

function french(options: { dateOrder: Language['dateOrder']; dollar: string }): Language {
  const units = unitsOf('fr')
  return defineLanguage({
    locale: 'fr',
    decimal: ',',
    spaceGroups: true,
    symbols: FRENCH_SYMBOLS,
    ...options,
    date: ({ year, month, day }) =>
      [day === 1 ? '1er' : day, monthName('fr', month), year].filter(Boolean).join(' '),
    time({ hour, minute, second, half }) {
      const part =
        half === undefined
          ? ''
          : half === 'am'
            ? ' du matin'
            : hour >= 6 && hour < 12
              ? ' du soir'
              : " de l'après-midi"
      const seconds =
        second === undefined || second === 0 ? '' : ` et ${second} ${second === 1 ? 'seconde' : 'secondes'}`
      const hours = hour === 1 ? 'une heure' : `${hour} ${hour === 0 ? 'heure' : 'heures'}`
      return `${hours}${minute === 0 && seconds !== '' ? ' 0' : minute === 0 ? '' : ` ${minute}`}${seconds}${part}`
    },
    agree: (count, gender) => (count === 1 ? (gender === 'feminine' ? 'une' : 'un') : undefined),
    currencies: {
      [options.dollar]: { one: '{0} dollar', other: '{0} dollars' },
      NPR: { feminine: true, one: '{0} roupie népalaise', other: '{0} roupies népalaises' },
      INR: { feminine: true, one: '{0} roupie', other: '{0} roupies' },
      GBP: { feminine: true, one: '{0} livre', other: '{0} livres' },
    },
    hundredths: (amount, { integer }) => `${amount} ${Number(integer)}`,
    readsPairs: true,
    units: {
      ...units,
      // French counts octets.
      ...Object.fromEntries(
        ['k', 'M', 'G', 'T'].flatMap((prefix) => {
          const forms = units[`${prefix}B`]
          return forms === undefined ? [] : [[`${prefix}o`, forms]]
        }),
      ),
    },
    fractions: { '½': 'un demi', '¼': 'un quart', '¾': 'trois quarts', '⅓': 'un tiers', '⅔': 'deux tiers' },
    scales: {
      million: 'million',
      millions: 'millions',
      milliard: 'milliard',
      milliards: 'milliards',
      M: 'millions',
    },
    scaleOf: ' de ',
    ordinalSuffix: 'er|ère|re|ème|e|nd|nde',
    // `1er` is read correctly.
    ordinal: (number, suffix) =>
      number === 1 ? (suffix === 'er' ? undefined : 'première') : frenchOrdinal(number),
    abbreviations: {
      'M. Aa': 'Monsieur Aa',
      'MM. Aa': 'Messieurs Aa',
      Mme: 'Madame',
      Mlle: 'Mademoiselle',
      Dr: 'Docteur',
      'Dr.': 'Docteur',
      Pr: 'Professeur',
      'p. ex.': 'par exemple',
      'etc.': 'et cetera.',
      'av.': 'avenue',
      'av. J.-C.': 'avant Jésus-Christ.',
      'apr. J.-C.': 'après Jésus-Christ.',
      bd: 'boulevard',
      'n° #': 'numéro #',
      'N° #': 'numéro #',
      'tél.': 'téléphone',
    },
  })
}

export const FRENCH: Readonly<Record<string, Language>> = {
  'fr-FR': french({ dateOrder: 'dmy', dollar: 'USD' }),
  'fr-CA': french({ dateOrder: 'dmy', dollar: 'CAD' }),
}
