import { toCardinal as european } from 'n2words/pt-PT'
import { dayPart } from './day-part.ts'
import { agreementCounter, endsIn } from './agreement.ts'
import { BARE_CENTS, defineLanguage, monthName } from '../define-language.ts'
import { nameSigns } from '../fraction-signs.ts'
import type { ClockTime, Language } from '../language.ts'

/** The words of Brazil, which both countries understand: `dezesseis`, not `dezasseis`. */
const portuguese = (count: number): string => european(count).replace(/\bdeza(?=sseis|ssete|nove)/g, 'deze')

const SCALES: Language['scales'] = {
  milhão: 'milhão',
  milhões: 'milhões',
  bilhão: 'bilhão',
  bilhões: 'bilhões',
  trilhão: 'trilhão',
  trilhões: 'trilhões',
  mil: 'mil',
  mi: { one: '{0} milhão', other: '{0} milhões' },
  bi: { one: '{0} bilhão', other: '{0} bilhões' },
}

/** From the eleventh on, parts are `avos`: `3 onze avos`. */
function fraction(over: number, under: number, count = String(over)): string {
  const known = PARTS[under]
  const part = known ?? `${portuguese(under)} avo`
  return over === 1 && known !== undefined ? `um ${part}` : `${over === 1 ? 'um' : count} ${part}s`
}
const PARTS: Readonly<Record<number, string>> = {
  2: 'meio',
  3: 'terço',
  4: 'quarto',
  5: 'quinto',
  6: 'sexto',
  7: 'sétimo',
  8: 'oitavo',
  9: 'nono',
  10: 'décimo',
  100: 'centésimo',
  1000: 'milésimo',
}

const FRACTIONS: Language['fractions'] = {
  ...nameSigns((over, under) => fraction(over, under, portuguese(over))),
  '½': 'meio',
}

/** Academia Brasileira de Letras, Vocabulário Ortográfico da Língua Portuguesa, reductions. */
const ABBREVIATIONS: Language['abbreviations'] = {
  'Sr.': 'Senhor',
  'Sra.': 'Senhora',
  'Dr.': 'Doutor',
  'Dra.': 'Doutora',
  'Prof.': 'Professor',
  'Profa.': 'Professora',
  'p. ex.': 'por exemplo',
  'etc.': 'et cetera.',
  'Av.': 'Avenida',
  'pág. #': 'página #',
  'págs. #': 'páginas #',
  'aprox.': 'aproximadamente',
  'R. Aa': 'Rua Aa',
  'nº #': 'número #',
  'n.º #': 'número #',
  'tel.': 'telefone',
  'ext. #': 'extensão #',
  'a.C.': 'antes de Cristo.',
  'd.C.': 'depois de Cristo.',
}

/** Words in `-as` and `-a` that are no feminine nouns. */
const OTHERS =
  /^(?:(?:dia|mapa|problema|sistema|tema|programa|idioma|planeta|poema|clima|drama|diploma|esquema|sintoma|dilema|fantasma|cometa|grama|quilograma)s?|para|contra|cada|nada|agora|era|fora|apenas|mas|depois|antes|mais|menos|das|nas|pelas|suas|minhas|várias|muitas|outras|outra|todas|toda|algumas|uma|umas|estas|essas|esta|essa|está|atrás|através|jamais)$/
const FEMININE = {
  one: /(?:a|ção|são|dade|tude|gem)$|^(?:mulher|noite|vez|mãe|mão|parte|flor|voz|lei|rede|árvore|tarde|classe|ordem)$/,
  many: /(?:as|ções|sões|dades|tudes|gens)$|^(?:mulheres|noites|vezes|mães|mãos|partes|flores|vozes|leis|redes|árvores|tardes|classes|ordens)$/,
}

const genderOf = (noun: string, count: number): 'feminine' | undefined =>
  !OTHERS.test(noun) && FEMININE[count === 1 ? 'one' : 'many'].test(noun) ? 'feminine' : undefined

/** Digits are masculine. */
function agree(count: number, gender: 'masculine' | 'feminine' | 'neuter'): string | undefined {
  const hasHundreds = count % 1000 >= 200 || count >= 200_000
  const hasTwo = endsIn(count, 2) || endsIn(Math.floor(count / 1000), 2)
  if (gender !== 'feminine' || !(endsIn(count, 1) || hasTwo || hasHundreds)) return undefined
  return portuguese(count)
    .replace(/(?:duz|trez)entos|[a-zéê]{4,}centos|quinhentos/g, (hundreds) => hundreds.replace(/os$/, 'as'))
    .replace(/um$/, 'uma')
    .replace(/dois(?=$| mil)/g, 'duas')
}

/** In Brazil, the first day is an ordinal. */
const FIRST_OF_MONTH = {
  pattern:
    /(?<![\p{L}\d.,/])1(?= de (?:janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)(?!\p{L}))/gu,
  say: () => '1º',
}

const PARTS_OF_DAY = {
  midnight: ' da noite',
  am: ' da manhã',
  noon: ' do dia',
  pm: ' da tarde',
  evening: ' da noite',
  eveningFrom: 7,
}

function time({ hour, minute, second, half }: ClockTime): string {
  const part = dayPart({ hour, minute, half }, PARTS_OF_DAY)
  const hours =
    hour === 1 ? 'uma hora' : hour === 2 ? 'duas horas' : `${hour} ${hour === 0 ? 'hora' : 'horas'}`
  const seconds = second === undefined ? '' : ` e ${second} ${second === 1 ? 'segundo' : 'segundos'}`
  const minutes = seconds === '' ? '' : minute === 1 ? ' minuto' : ' minutos'
  return `${hours}${minute === 0 ? '' : ` e ${minute}${minutes}`}${seconds}${part}`
}

function portugueseLanguage(options: { locale: string; currencies: Language['currencies'] }): Language {
  return defineLanguage({
    decimal: ',',
    spaceGroups: true,
    symbols: {
      minus: 'menos',
      plus: 'mais',
      to: 'a',
      and: 'e',
      at: 'arroba',
      dot: 'ponto',
      slash: 'barra',
      dash: 'hífen',
      underscore: 'sublinhado',
      colon: 'dois pontos',
      equals: 'igual',
      question: 'interrogação',
      hash: 'cerquilha',
      percent: 'por cento',
      tilde: 'til',
      by: 'por',
      power: 'elevado a {0}',
    },
    ...options,
    date: ({ year, month, day }) =>
      [day === 1 && options.locale === 'pt' ? '1º' : day, monthName('pt', month), year]
        .filter(Boolean)
        .join(' de '),
    time,
    agree,
    counters: [
      ...(options.locale === 'pt' ? [FIRST_OF_MONTH] : []),
      agreementCounter({
        groups: '.',
        genderOf,
        beforeOne:
          'a|de|em|por|com|para|há|tenho|tem|têm|temos|só|somente|durante|desde|até|sem|entre|e|ou|cada|falta|mais|menos|quero|preciso|é|era|foi|dura|custa',
        agree,
      }),
    ],
    currencies: {
      EUR: { one: '{0} euro', other: '{0} euros' },
      USD: { one: '{0} dólar', other: '{0} dólares' },
      GBP: { feminine: true, one: '{0} libra', other: '{0} libras' },
      JPY: { one: '{0} iene', other: '{0} ienes' },
      KRW: { one: '{0} won', other: '{0} wons' },
      TRY: { feminine: true, one: '{0} lira', other: '{0} liras' },
      INR: { feminine: true, one: '{0} rupia', other: '{0} rupias' },
      NPR: { feminine: true, one: '{0} rupia nepalesa', other: '{0} rupias nepalesas' },
      ...options.currencies,
    },
    hundredths: { join: ' e ', bareFrom: BARE_CENTS },
    cents: {
      BRL: { one: '{0} centavo', other: '{0} centavos' },
      USD: { one: '{0} centavo', other: '{0} centavos' },
      EUR:
        options.locale === 'pt-PT'
          ? { one: '{0} cêntimo', other: '{0} cêntimos' }
          : { one: '{0} centavo', other: '{0} centavos' },
    },
    fraction,
    partAfter: ({ name, isHalf, forms }) =>
      `e ${isHalf ? (forms.feminine === true ? 'meia' : 'meio') : name}`,
    part: ({ name, isHalf, unit, forms }) =>
      isHalf ? `${forms.feminine === true ? 'meia' : 'meio'} ${unit}` : `${name} de ${unit}`,
    fractions: FRACTIONS,
    scales: SCALES,
    scaleOf: ' de ',
    abbreviations: ABBREVIATIONS,
  })
}

export const PORTUGUESE: Readonly<Record<string, Language>> = {
  'pt-BR': portugueseLanguage({ locale: 'pt', currencies: { BRL: { one: '{0} real', other: '{0} reais' } } }),
  'pt-PT': portugueseLanguage({ locale: 'pt-PT', currencies: {} }),
}
