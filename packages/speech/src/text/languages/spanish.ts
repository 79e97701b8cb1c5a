import { toCardinal as spanish } from 'n2words/es-ES'
import { dayPart } from './day-part.ts'
import { agreementCounter, endsIn } from './agreement.ts'
import { BARE_CENTS, defineLanguage, monthName } from '../define-language.ts'
import { nameSigns } from '../fraction-signs.ts'
import type { Language } from '../language.ts'
import { unitsOf } from '../units.ts'
import { ordinal } from './spanish-ordinals.ts'

const PARTS_OF_DAY = {
  midnight: ' de la noche',
  am: ' de la mañana',
  noon: ' del mediodía',
  pm: ' de la tarde',
  evening: ' de la noche',
  eveningFrom: 8,
}

function spanishTime({ hour, minute, second, half }: Parameters<Language['time']>[0]): string {
  const part = dayPart({ hour, minute, half }, PARTS_OF_DAY)
  const seconds = second === undefined ? '' : ` y ${second} ${second === 1 ? 'segundo' : 'segundos'}`
  const hours = hour === 1 ? 'una' : String(hour)
  if (minute === 0 && seconds === '') return `${hours}${part === '' ? ' en punto' : part}`
  return `${hours} ${minute >= 10 ? minute : seconds === '' ? `y ${minute}` : `0 ${minute}`}${seconds}${part}`
}

/** From the eleventh on, parts end in `-avo`: `onceavo`, `treintavo`, `treintaiunavo`. */
function fraction(over: number, under: number, count = String(over)): string {
  const known = PARTS[under]
  if (under > 100 && known === undefined) return `${over} sobre ${under}`
  const stem = spanish(under)
    .normalize('NFD')
    .replace(/\u0301/g, '')
    .replace(' y ', 'i')
  const part = known ?? `${stem.replace(/(?:uno|a)$/, (end) => (end === 'a' ? '' : 'un'))}avo`
  return over === 1 ? `un ${part}` : `${count} ${part}s`
}
const PARTS: Readonly<Record<number, string>> = {
  2: 'medio',
  3: 'tercio',
  4: 'cuarto',
  5: 'quinto',
  6: 'sexto',
  7: 'séptimo',
  8: 'octavo',
  9: 'noveno',
  10: 'décimo',
  100: 'centésimo',
  1000: 'milésimo',
}

const SYMBOLS: Language['symbols'] = {
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
  by: 'por',
  power: 'elevado a {0}',
}

const FRACTIONS: Language['fractions'] = {
  ...nameSigns((over, under) => fraction(over, under, spanish(over))),
  '½': 'medio',
}

/** Real Academia Española, Diccionario panhispánico de dudas, list of abbreviations. */
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
  'Avda.': 'Avenida',
  'C/ Aa': 'Calle Aa',
  'pág. #': 'página #',
  'págs. #': 'páginas #',
  'aprox.': 'aproximadamente',
  'núm. #': 'número #',
  'n.º #': 'número #',
  'tel.': 'teléfono',
  'ext. #': 'extensión #',
  'Pza.': 'Plaza',
  'esq.': 'esquina',
  'a. C.': 'antes de Cristo.',
  'd. C.': 'después de Cristo.',
  'a.C.': 'antes de Cristo.',
  'd.C.': 'después de Cristo.',
}

const CENTS: Language['cents'] = {
  EUR: { one: '{0} céntimo', other: '{0} céntimos' },
  USD: { one: '{0} centavo', other: '{0} centavos' },
  MXN: { one: '{0} centavo', other: '{0} centavos' },
  ARS: { one: '{0} centavo', other: '{0} centavos' },
  COP: { one: '{0} centavo', other: '{0} centavos' },
  CUP: { one: '{0} centavo', other: '{0} centavos' },
  DOP: { one: '{0} centavo', other: '{0} centavos' },
  UYU: { one: '{0} centésimo', other: '{0} centésimos' },
  GBP: { one: '{0} penique', other: '{0} peniques' },
}

/** Words in `-as` that are no feminine nouns, and those in `-o` and `-a` that are no nouns. */
const MASCULINE =
  /^(?:d[íi]a|mapa|problema|sistema|tema|programa|idioma|planeta|poema|clima|drama|diploma|esquema|síntoma|dilema|fantasma|cometa|tranvía|gramo)s?$/
const NO_NOUN =
  /^(?:para|hasta|contra|cada|nada|ahora|era|fuera|apenas|mientras|gracias|tras|entonces|además|después|antes|más|menos|las|los|sus|varias|varios|muchas|muchos|otras|otros|todas|todos|algunas|algunos|unas|unos|estas|estos|esas|esos|pero|como|cuando|solo|todo|esto|eso|una|uno|otra|otro|toda|esta|esa|está|están|estamos)$/
const FEMININE = {
  one: /(?:a|ción|sión|dad|tad|tud|umbre)$|^(?:mujer|noche|vez|flor|parte|calle|llave|clase|imagen|madre|mano|foto|moto|ley|voz|tarde|pared|red)$/,
  many: /(?:as|ciones|siones|dades|tades|tudes|umbres)$|^(?:mujeres|noches|veces|flores|partes|calles|llaves|clases|imágenes|madres|manos|fotos|motos|leyes|voces|tardes|paredes|redes)$/,
}

function genderOf(noun: string, count: number): 'masculine' | 'feminine' | undefined {
  if (NO_NOUN.test(noun)) return undefined
  const isFeminine = !MASCULINE.test(noun) && FEMININE[count === 1 ? 'one' : 'many'].test(noun)
  if (isFeminine) return 'feminine'
  return (count === 1 ? /o$|^(?:mes|día)$/ : /s$/).test(noun) ? 'masculine' : undefined
}

/** Digits have the masculine hundreds and `uno`. */
function agree(count: number, gender: 'masculine' | 'feminine' | 'neuter'): string | undefined {
  const endsInOne = endsIn(count, 1)
  const hasHundreds = count % 1000 >= 200 || count >= 200_000
  if (gender === 'neuter' || !(endsInOne || (gender === 'feminine' && hasHundreds))) return undefined
  const words = spanish(count)
  if (gender === 'feminine')
    return words
      .replace(/cientos(?!\p{L})|quinientos/gu, (hundreds) => hundreds.replace(/os$/, 'as'))
      .replace(/uno$/, 'una')
  return words.replace(/veintiuno$/, 'veintiún').replace(/uno$/, 'un')
}

/** `un millón`, `veintiún millones`. */
const BEFORE_SCALES: NonNullable<Language['counters']>[number] = {
  pattern: /(?<![\p{L}\p{N}.,:/-])\d{0,2}1(?= (?:mill|bill|trill)(?:ón|ones)(?!\p{L}))/gu,
  say: ([count]) => agree(Number(count), 'masculine') ?? count,
}
const FIRST_OF_MONTH =
  /(?<![\p{L}\p{N}.,:/-]|(?<!\p{L})los )1(?= de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)(?!\p{L}))/gu

function spanishLanguage(options: {
  decimal: Language['decimal']
  dollar: string
  currencies: Language['currencies']
  /** The first day of a month, if it is an ordinal. */
  first?: string
  dateOrder?: Language['dateOrder']
}): Language {
  return defineLanguage({
    locale: 'es',
    spaceGroups: true,
    symbols: SYMBOLS,
    ...options,
    date: ({ year, month, day }) =>
      [day === 1 ? (options.first ?? day) : day, monthName('es', month), year].filter(Boolean).join(' de '),
    time: spanishTime,
    clockWords: { after: 'h' },
    // `uno por ciento` (RAE) agrees with no noun.
    units: { ...unitsOf('es'), '%': { other: '{0} por ciento', neuter: true } },
    agree,
    counters: [
      ...(options.first === undefined ? [] : [{ pattern: FIRST_OF_MONTH, say: () => options.first ?? '' }]),
      BEFORE_SCALES,
      agreementCounter({
        groups: options.decimal === ',' ? '.' : ',',
        genderOf,
        beforeOne:
          'a|de|en|por|con|para|hay|tengo|tiene|tienes|tienen|solo|sólo|hace|durante|desde|hasta|sin|entre|y|o|cada|queda|falta|más|menos|quiero|necesito|es|era|fue|dura|cuesta',
        agree,
      }),
    ],
    currencies: {
      EUR: { one: '{0} euro', other: '{0} euros' },
      USD: { one: '{0} dólar', other: '{0} dólares' },
      NPR: { feminine: true, one: '{0} rupia nepalí', other: '{0} rupias nepalíes' },
      INR: { feminine: true, one: '{0} rupia', other: '{0} rupias' },
      GBP: { feminine: true, one: '{0} libra', other: '{0} libras' },
      JPY: { one: '{0} yen', other: '{0} yenes' },
      KRW: { one: '{0} won', other: '{0} wones' },
      TRY: { feminine: true, one: '{0} lira', other: '{0} liras' },
      ...options.currencies,
    },
    hundredths: { join: ' con ', bareFrom: BARE_CENTS },
    cents: CENTS,
    fraction,
    partAfter: ({ name, isHalf, forms }) =>
      `y ${isHalf ? (forms.feminine === true ? 'media' : 'medio') : name}`,
    part: ({ name, isHalf, unit, forms }) =>
      isHalf ? `${forms.feminine === true ? 'media' : 'medio'} ${unit}` : `${name} de ${unit}`,
    fractions: FRACTIONS,
    scales: {
      millón: { other: '{0} millón' },
      millones: 'millones',
      billón: 'billón',
      billones: 'billones',
      M: 'millones',
      mil: 'mil',
    },
    scaleOf: ' de ',
    // `1º` is read correctly, `1.º` is not.
    ordinalSuffix: String.raw`\.º|\.ª|\.er|er|\.?ᵉʳ|[rdtmvn][oa]`,
    ordinal,
    abbreviations: ABBREVIATIONS,
  })
}

const PESOS = { one: '{0} peso', other: '{0} pesos' }

export const SPANISH: Readonly<Record<string, Language>> = {
  'es-ES': spanishLanguage({ decimal: ',', dollar: 'USD', currencies: {} }),
  'es-MX': spanishLanguage({
    decimal: '.',
    dollar: 'MXN',
    first: 'primero',
    currencies: { MXN: PESOS },
  }),
}

/** Regions of America: the decimal mark and the order of dates are those of CLDR, and `$` is what circulates there. */
const american = (
  regions: string,
  decimal: Language['decimal'],
  { dollar = 'USD', ...more }: { dollar?: string; dateOrder?: Language['dateOrder'] } = {},
): Record<string, Language> => {
  const currencies = dollar === 'USD' ? {} : { [dollar]: PESOS }
  const language = spanishLanguage({ decimal, dollar, first: 'primero', currencies, ...more })
  return Object.fromEntries(regions.split(' ').map((region) => [`es-${region}`, language]))
}

/** Regions whose rules differ from those of Spain. */
export const SPANISH_REGIONS: Readonly<Record<string, Language>> = {
  ...american('AR', ',', { dollar: 'ARS' }),
  ...american('CL', ',', { dollar: 'CLP' }),
  ...american('CO', ',', { dollar: 'COP' }),
  ...american('UY', ',', { dollar: 'UYU' }),
  ...american('CU', '.', { dollar: 'CUP' }),
  ...american('DO', '.', { dollar: 'DOP' }),
  ...american('PA PR', '.', { dateOrder: 'mdy' }),
  ...american('419 BR BZ GT HN NI PE SV US', '.'),
  ...american('BO CR EC PY VE', ','),
}
