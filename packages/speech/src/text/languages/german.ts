import { toCardinal, toOrdinal } from 'n2words/de-DE'
import { BARE_CENTS, defineLanguage, monthName } from '../define-language.ts'
import { nameSigns } from '../fraction-signs.ts'
import type { Forms, Language } from '../language.ts'
import { dayPart } from './day-part.ts'
import { germanOne } from './german-one.ts'
import { inflectOrdinal } from './german-ordinals.ts'

const PARTS_OF_DAY = {
  midnight: ' nachts',
  am: ' morgens',
  noon: ' mittags',
  pm: ' nachmittags',
  evening: ' abends',
  eveningFrom: 6,
}

/** Years from 1100 to 1999 are counted in hundreds. */
function year(value: number): string {
  if (value < 1100 || value >= 2000) return String(value)
  const rest = value % 100
  return `${toCardinal(Math.floor(value / 100))}hundert${rest === 0 ? '' : toCardinal(rest)}`
}

/** `31 Siebzehntel`: the ordinal without its ending, with that of parts. */
function fraction(over: number, under: number, count = String(over)): string {
  const part = under === 2 ? 'Halbe' : toOrdinal(under).replace(/te$/, 'tel')
  return `${over === 1 ? 'ein' : count} ${part.charAt(0).toUpperCase()}${part.slice(1)}`
}

/** A half of a unit, by its gender: `eine halbe Stunde`, `ein halber Liter`. */
const half = (unit: string, { feminine }: Forms): string =>
  feminine === true
    ? 'eine halbe'
    : /(?:[Mm]eter|[Ll]iter|löffel|Tag|Monat|Zoll|Fuß|Hektar)$/.test(unit)
      ? 'ein halber'
      : 'ein halbes'

const MILLIONS: Forms = { feminine: true, one: '{0} Million', other: '{0} Millionen' }
const BILLIONS: Forms = { feminine: true, one: '{0} Milliarde', other: '{0} Milliarden' }

/** After the abbreviations `Mio.` and `Mrd.` have become words. */
const ONE_MILLION: NonNullable<Language['counters']>[number] = {
  pattern: /(?<![\p{L}\p{N}.,:/-])1 (?<scale>Million|Milliarde)n?(?:(?<=Million)en)?(?!\p{L})/gu,
  say: ({ groups }) => `eine ${groups?.['scale']}`,
}

export const GERMAN: Readonly<Record<string, Language>> = {
  'de-DE': defineLanguage({
    locale: 'de',
    decimal: ',',
    spaceGroups: true,
    symbols: {
      minus: 'minus',
      plus: 'plus',
      to: 'bis',
      and: 'und',
      at: 'ät',
      dot: 'Punkt',
      slash: 'Schrägstrich',
      dash: 'Bindestrich',
      underscore: 'Unterstrich',
      colon: 'Doppelpunkt',
      equals: 'gleich',
      question: 'Fragezeichen',
      hash: 'Raute',
      percent: 'Prozent',
      tilde: 'Tilde',
      by: 'mal',
      power: 'hoch {0}',
    },
    date: ({ year: inYear, month, day }, before) =>
      [
        day === undefined ? '' : inflectOrdinal(day, before),
        monthName('de', month),
        inYear === undefined ? '' : year(inYear),
      ]
        .filter(Boolean)
        .join(' '),
    time({ hour, minute, second, half }) {
      const part = dayPart({ hour, minute, half }, PARTS_OF_DAY)
      const seconds = second === undefined ? '' : ` und ${second} ${second === 1 ? 'Sekunde' : 'Sekunden'}`
      return `${hour === 1 ? 'ein' : hour} Uhr${minute === 0 ? '' : ` ${minute}`}${seconds}${part}`
    },
    agree: (count, gender) => (count === 1 ? (gender === 'feminine' ? 'eine' : 'ein') : undefined),
    counters: [ONE_MILLION, germanOne],
    currencies: {
      USD: { other: '{0} Dollar' },
      GBP: { other: '{0} Pfund' },
      JPY: { other: '{0} Yen' },
      KRW: { other: '{0} Won' },
      TRY: { feminine: true, other: '{0} Lira' },
      INR: { feminine: true, one: '{0} Rupie', other: '{0} Rupien' },
      NPR: { feminine: true, one: '{0} nepalesische Rupie', other: '{0} nepalesische Rupien' },
    },
    hundredths: { join: ' ', bareFrom: BARE_CENTS },
    cents: {
      EUR: { other: '{0} Cent' },
      USD: { other: '{0} Cent' },
      CHF: { other: '{0} Rappen' },
      GBP: { one: '{0} Penny', other: '{0} Pence' },
    },
    mixedHalf: 'einhalb',
    mixedOne: 'ein',
    fraction,
    part: ({ name, isHalf, unit, forms }) => (isHalf ? `${half(unit, forms)} ${unit}` : `${name} ${unit}`),
    fractions: { ...nameSigns((over, under) => fraction(over, under, toCardinal(over))), '½': 'ein halb' },
    scales: {
      Million: { feminine: true, other: '{0} Million' },
      Millionen: 'Millionen',
      'Mio.': MILLIONS,
      Mio: MILLIONS,
      Milliarde: { feminine: true, other: '{0} Milliarde' },
      Milliarden: 'Milliarden',
      'Mrd.': BILLIONS,
      Mrd: BILLIONS,
      'Tsd.': 'Tausend',
      Tsd: 'Tausend',
    },
    clockWords: { after: 'Uhr' },
    // Duden, Die deutsche Rechtschreibung.
    abbreviations: {
      'Dr.': 'Doktor',
      'Prof.': 'Professor',
      'Hr.': 'Herr',
      'Fr. Aa': 'Frau Aa',
      'z. B.': 'zum Beispiel',
      'z.B.': 'zum Beispiel',
      'd. h.': 'das heißt',
      'd.h.': 'das heißt',
      'u. a.': 'unter anderem',
      'u.a.': 'unter anderem',
      'usw.': 'und so weiter.',
      'bzw.': 'beziehungsweise',
      'ca.': 'circa',
      'inkl.': 'inklusive',
      'ggf.': 'gegebenenfalls',
      'evtl.': 'eventuell',
      'Az.': 'Aktenzeichen',
      'Nr.': 'Nummer',
      'v. Chr.': 'vor Christus.',
      'n. Chr.': 'nach Christus.',
      'Abb. #': 'Abbildung #',
      'Abs. #': 'Absatz #',
      'Art. #': 'Artikel #',
      'S. #': 'Seite #',
      'Jh.': 'Jahrhundert.',
      'vgl.': 'vergleiche',
      'zzgl.': 'zuzüglich',
      'mind. #': 'mindestens #',
      'max. #': 'maximal #',
      'i. d. R.': 'in der Regel',
      'Kap. #': 'Kapitel #',
      'Bd. #': 'Band #',
      'Tel.': 'Telefon',
      'Mio.': 'Millionen',
      'Mrd.': 'Milliarden',
      'Tsd.': 'Tausend',
      'St. Aa': 'Sankt Aa',
      '~str.': 'straße',
      'Str.': 'Straße',
    },
  }),
}
