import { toCardinal as spanish } from 'n2words/es-ES'
import { BARE_CENTS, defineLanguage, monthName } from '../define-language.ts'
import type { Language } from '../language.ts'
import { unitsOf } from '../units.ts'

/** Before a noun of masculine gender: `3.er piso`. */
const SHORTENED: Readonly<Record<number, string>> = { 1: 'primer', 3: 'tercer' }

function spanishTime({ hour, minute, second, half }: Parameters<Language['time']>[0]): string {
  const part =
    half === undefined
      ? ''
      : half === 'am'
        ? ' de la mañana'
        : hour >= 8 && hour < 12
          ? ' de la noche'
          : ' de la tarde'
  const seconds =
    second === undefined || second === 0 ? '' : ` y ${second} ${second === 1 ? 'segundo' : 'segundos'}`
  const hours = hour === 1 ? 'una' : String(hour)
  if (minute === 0 && seconds === '') return `${hours}${part === '' ? ' en punto' : part}`
  return `${hours} ${minute < 10 ? `0 ${minute}` : minute}${seconds}${part}`
}

const FRACTIONS: Language['fractions'] = {
  '½': 'medio',
  '¼': 'un cuarto',
  '¾': 'tres cuartos',
  '⅓': 'un tercio',
  '⅔': 'dos tercios',
  '⅕': 'un quinto',
  '⅖': 'dos quintos',
  '⅗': 'tres quintos',
  '⅘': 'cuatro quintos',
  '⅙': 'un sexto',
  '⅚': 'cinco sextos',
  '⅛': 'un octavo',
  '⅜': 'tres octavos',
  '⅝': 'cinco octavos',
  '⅞': 'siete octavos',
}

const ABBREVIATIONS: Language['abbreviations'] = {
  'Sr.': 'Señor',
  'Sra.': 'Señora',
  'Srta.': 'Señorita',
  'Dr.': 'Doctor',
  'Dra.': 'Doctora',
  'Prof.': 'Profesor',
  'Ud.': 'usted',
  'Uds.': 'ustedes',
  'p. ej.': 'por ejemplo',
  'etc.': 'etcétera.',
  'EE. UU.': 'Estados Unidos',
  'EE.UU.': 'Estados Unidos',
  'Av.': 'Avenida',
  'núm. #': 'número #',
  'n.º #': 'número #',
  'tel.': 'teléfono',
}

const CENTS: Language['cents'] = {
  EUR: { one: '{0} céntimo', other: '{0} céntimos' },
  USD: { one: '{0} centavo', other: '{0} centavos' },
  MXN: { one: '{0} centavo', other: '{0} centavos' },
}

function spanishLanguage(options: {
  decimal: Language['decimal']
  dollar: string
  currencies: Language['currencies']
}): Language {
  return defineLanguage({
    locale: 'es',
    spaceGroups: true,
    symbols: {
      minus: 'menos',
      plus: 'más',
      to: 'a',
      and: 'y',
      at: 'arroba',
      dot: 'punto',
      slash: 'barra',
      dash: 'guion',
      underscore: 'guion bajo',
      colon: 'dos puntos',
      equals: 'igual',
      question: 'interrogación',
      hash: 'almohadilla',
      percent: 'por ciento',
      tilde: 'virgulilla',
    },
    ...options,
    date: ({ year, month, day }) => [day, monthName('es', month), year].filter(Boolean).join(' de '),
    time: spanishTime,
    // `uno por ciento` (RAE) agrees with no noun.
    units: { ...unitsOf('es'), '%': { other: '{0} por ciento', neuter: true } },
    agree(count, gender) {
      if (gender === 'neuter' || count % 10 !== 1 || count % 100 === 11) return undefined
      const words = spanish(count)
      if (gender === 'feminine') return words.replace(/uno$/, 'una')
      return words.replace(/veintiuno$/, 'veintiún').replace(/uno$/, 'un')
    },
    currencies: {
      EUR: { one: '{0} euro', other: '{0} euros' },
      USD: { one: '{0} dólar', other: '{0} dólares' },
      NPR: { feminine: true, one: '{0} rupia nepalí', other: '{0} rupias nepalíes' },
      INR: { feminine: true, one: '{0} rupia', other: '{0} rupias' },
      GBP: { feminine: true, one: '{0} libra', other: '{0} libras' },
      ...options.currencies,
    },
    hundredths: { join: ' con ', bareFrom: BARE_CENTS },
    cents: CENTS,
    fractions: FRACTIONS,
    scales: { millón: 'millón', millones: 'millones', M: 'millones' },
    scaleOf: ' de ',
    // `1º` is read correctly, `1.º` is not.
    ordinalSuffix: String.raw`\.º|\.ª|\.er|er|\.?ᵉʳ`,
    ordinal: (number, suffix) =>
      (/er$|ᵉʳ$/.test(suffix) ? SHORTENED[number] : undefined) ??
      `${number}${suffix.includes('ª') ? 'ª' : 'º'}`,
    abbreviations: ABBREVIATIONS,
  })
}

export const SPANISH: Readonly<Record<string, Language>> = {
  'es-ES': spanishLanguage({ decimal: ',', dollar: 'USD', currencies: {} }),
  'es-MX': spanishLanguage({
    decimal: '.',
    dollar: 'MXN',
    currencies: { MXN: { one: '{0} peso', other: '{0} pesos' } },
  }),
}
