import { toCardinal, toOrdinal as frenchOrdinal } from 'n2words/fr-FR'
import { dayPart } from './day-part.ts'
import { agreementCounter } from './agreement.ts'
import { BARE_CENTS, defineLanguage, monthName } from '../define-language.ts'
import { nameSigns } from '../fraction-signs.ts'
import type { Language } from '../language.ts'
import { unitsOf } from '../units.ts'

const PARTS_OF_DAY = {
  midnight: '',
  am: ' du matin',
  noon: '',
  pm: " de l'après-midi",
  evening: ' du soir',
  eveningFrom: 6,
}

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
  by: 'sur',
  power: 'puissance {0}',
}

const PARTS: Readonly<Record<number, string>> = { 2: 'demi', 3: 'tiers', 4: 'quart' }

/** `deux neuvièmes`; a larger denominator is said as a number. */
function fraction(over: number, under: number, count = String(over)): string {
  if (under > 100 && under !== 1000) return `${over} sur ${under}`
  const part = PARTS[under] ?? frenchOrdinal(under)
  return over === 1 ? `un ${part}` : `${count} ${part.replace(/(?<!s)$/, 's')}`
}

/** Lexique des règles typographiques en usage à l'Imprimerie nationale. */
const ABBREVIATIONS: Language['abbreviations'] = {
  'M. Aa': 'Monsieur Aa',
  'MM. Aa': 'Messieurs Aa',
  Mme: 'Madame',
  Mlle: 'Mademoiselle',
  Dr: 'Docteur',
  'Dr.': 'Docteur',
  Pr: 'Professeur',
  'p. ex.': 'par exemple',
  'etc.': 'et cetera.',
  'p. #': 'page #',
  'pp. #': 'pages #',
  'c.-à-d.': "c'est-à-dire",
  'env. #': 'environ #',
  'av.': 'avenue',
  'av. J.-C.': 'avant Jésus-Christ.',
  'apr. J.-C.': 'après Jésus-Christ.',
  'ap. J.-C.': 'après Jésus-Christ.',
  bd: 'boulevard',
  'n° #': 'numéro #',
  'N° #': 'numéro #',
  'tél.': 'téléphone',
}

const CENTS: Language['cents'] = {
  EUR: { one: '{0} centime', other: '{0} centimes' },
  CHF: { one: '{0} centime', other: '{0} centimes' },
  USD: { one: '{0} cent', other: '{0} cents' },
  CAD: { one: '{0} cent', other: '{0} cents' },
  GBP: { one: '{0} penny', other: '{0} pence' },
}

/** Nouns whose ending tells that they are feminine, and common ones. */
const FEMININE =
  /(?:[ts]ion|ée|ette|ance|ence|té|esse)s?$|^(?:personne|femme|fille|heure|minute|seconde|page|semaine|ville|maison|voiture|chose|place|pièce|main|nuit|école|équipe|classe|langue|chambre|table|photo|étoile|image|ligne|carte|lettre|tonne|marche|route|porte|question|étape|tâche|victime|vache|pomme|île)s?$|^(?:fois|voix)$/
const MASCULINE = /^(?:musée|lycée|trophée|apogée|côté|été|comité|traité|pâté|arrêté|squelette|silence)s?$/

/** Digits are masculine, and `1` counts as `un`. */
function agree(count: number, gender: 'masculine' | 'feminine' | 'neuter'): string | undefined {
  if (count === 1) return gender === 'feminine' ? 'une' : 'un'
  const endsInUn = count % 10 === 1 && ![11, 71, 91].includes(count % 100)
  return gender === 'feminine' && endsInUn ? `${toCardinal(count)}e` : undefined
}

const COUNTERS: NonNullable<Language['counters']> = [
  {
    pattern:
      /(?<![\p{L}\d.,/])1(?= (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)(?!\p{L}))/gu,
    say: () => '1er',
  },
  agreementCounter({
    // Points and commas group no digits in French; `1.200` is kept.
    groups: '.',
    genderOf: (noun) => (FEMININE.test(noun) && !MASCULINE.test(noun) ? 'feminine' : undefined),
    beforeOne:
      'a|à|de|en|par|avec|pour|dans|sur|sous|ai|as|avons|avez|ont|sans|et|ou|chaque|reste|plus|moins|veux|est|dure|coûte|pendant|depuis',
    agree,
  }),
]

const SCALES: Language['scales'] = {
  million: 'million',
  millions: 'millions',
  milliard: 'milliard',
  milliards: 'milliards',
  M: 'millions',
  Md: { one: '{0} milliard', other: '{0} milliards' },
  Mds: 'milliards',
  k: 'mille',
  K: 'mille',
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
      const part = dayPart({ hour, minute, half }, PARTS_OF_DAY)
      const seconds = second === undefined ? '' : ` et ${second} ${second === 1 ? 'seconde' : 'secondes'}`
      const twelve = half === undefined ? '12 heures' : half === 'am' ? 'minuit' : 'midi'
      const hours =
        hour === 12 ? twelve : hour === 1 ? 'une heure' : `${hour} ${hour === 0 ? 'heure' : 'heures'}`
      return `${hours}${minute === 0 && seconds !== '' ? ' 0' : minute === 0 ? '' : ` ${minute}`}${seconds}${part}`
    },
    agree,
    counters: COUNTERS,
    currencies: {
      [options.dollar]: { one: '{0} dollar', other: '{0} dollars' },
      NPR: { feminine: true, one: '{0} roupie népalaise', other: '{0} roupies népalaises' },
      INR: { feminine: true, one: '{0} roupie', other: '{0} roupies' },
      GBP: { feminine: true, one: '{0} livre', other: '{0} livres' },
      JPY: { one: '{0} yen', other: '{0} yens' },
      KRW: { one: '{0} won', other: '{0} wons' },
    },
    hundredths: { join: ' ', bareFrom: BARE_CENTS },
    cents: CENTS,
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
    mixedHalf: 'et demi',
    fraction,
    partAfter: ({ name, isHalf, forms }) =>
      `et ${isHalf ? (forms.feminine === true ? 'demie' : 'demi') : name}`,
    part: ({ name, isHalf, unit, forms }) =>
      isHalf
        ? `${forms.feminine === true ? 'une' : 'un'} demi-${unit}`
        : `${name} ${/^[aeiouhé]/.test(unit) ? "d'" : 'de '}${unit}`,
    fractions: nameSigns((over, under) => fraction(over, under, toCardinal(over))),
    scales: SCALES,
    scaleOf: ' de ',
    ordinalSuffix: 'er|ère|re|ème|e|nd|nde|ᵉʳ|ᵉ',
    // `1er` is read correctly.
    ordinal: (number, suffix) =>
      number === 1
        ? suffix === 'er'
          ? undefined
          : suffix === 'ᵉʳ'
            ? '1er'
            : 'première'
        : frenchOrdinal(number),
    abbreviations: ABBREVIATIONS,
  })
}

export const FRENCH: Readonly<Record<string, Language>> = {
  'fr-FR': french({ dateOrder: 'dmy', dollar: 'USD' }),
  'fr-CA': french({ dateOrder: 'dmy', dollar: 'CAD' }),
}
