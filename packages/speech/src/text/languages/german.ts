import { toCardinal, toOrdinal } from 'n2words/de-DE'
import { BARE_CENTS, defineLanguage, monthName } from '../define-language.ts'
import type { Language } from '../language.ts'

/** Years from 1100 to 1999 are counted in hundreds. */
function year(value: number): string {
  if (value < 1100 || value >= 2000) return String(value)
  const rest = value % 100
  return `${toCardinal(Math.floor(value / 100))}hundert${rest === 0 ? '' : toCardinal(rest)}`
}

/** `31 Siebzehntel`: the ordinal without its ending, with that of parts. */
function fraction(over: number, under: number): string {
  const part = under === 2 ? 'Halbe' : toOrdinal(under).replace(/te$/, 'tel')
  return `${over === 1 ? 'ein' : over} ${part.charAt(0).toUpperCase()}${part.slice(1)}`
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
      const part =
        half === undefined
          ? ''
          : half === 'am'
            ? ' morgens'
            : hour >= 6 && hour < 12
              ? ' abends'
              : ' nachmittags'
      const seconds =
        second === undefined || second === 0 ? '' : ` und ${second} ${second === 1 ? 'Sekunde' : 'Sekunden'}`
      return `${hour === 1 ? 'ein' : hour} Uhr${minute === 0 ? '' : ` ${minute}`}${seconds}${part}`
    },
    agree: (count, gender) => (count === 1 ? (gender === 'feminine' ? 'eine' : 'ein') : undefined),
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
    },
    mixedHalf: 'einhalb',
    mixedOne: 'ein',
    fraction,
    fractions: {
      '½': 'ein halb',
      '¼': 'ein Viertel',
      '¾': 'drei Viertel',
      '⅓': 'ein Drittel',
      '⅔': 'zwei Drittel',
      '⅕': 'ein Fünftel',
      '⅖': 'zwei Fünftel',
      '⅗': 'drei Fünftel',
      '⅘': 'vier Fünftel',
      '⅙': 'ein Sechstel',
      '⅚': 'fünf Sechstel',
      '⅛': 'ein Achtel',
      '⅜': 'drei Achtel',
      '⅝': 'fünf Achtel',
      '⅞': 'sieben Achtel',
    },
    scales: {
      Million: 'Million',
      Millionen: 'Millionen',
      'Mio.': 'Millionen',
      Milliarden: 'Milliarden',
      'Mrd.': 'Milliarden',
    },
    clockWords: { after: 'Uhr' },
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
      'Nr.': 'Nummer',
      'Tel.': 'Telefon',
      'Mio.': 'Millionen',
      'Mrd.': 'Milliarden',
      'St. Aa': 'Sankt Aa',
      '~str.': 'straße',
      'Str.': 'Straße',
    },
  }),
}

/** Words after which an ordinal ends in `-n`, and those after which it ends in `-e`. */
const WEAK =
  /(?:^|\s)(?:am|vom|zum|beim|im|dem|den|des|bis|seit|ab|nach|vor)\s+(?:\p{L}+,?\s+(?:dem|den)\s+)?$/iu
const NOMINATIVE = /(?:^|\s)(?:der|die|das)\s+$/iu

/** Inflects an ordinal for what precedes it: `am zweiten`, `der zweite`, otherwise `zweiter`. */
export function inflectOrdinal(number: number, before: string): string {
  const stem = toOrdinal(number)
  return WEAK.test(before) ? `${stem}n` : NOMINATIVE.test(before) ? stem : `${stem}r`
}
