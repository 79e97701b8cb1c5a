import { toCardinal as portuguese } from 'n2words/pt-PT'
import { BARE_CENTS, defineLanguage, monthName } from '../define-language.ts'
import type { Language } from '../language.ts'

const SCALES: Language['scales'] = {
  milhão: 'milhão',
  milhões: 'milhões',
  bilhão: 'bilhão',
  bilhões: 'bilhões',
  mi: { one: '{0} milhão', other: '{0} milhões' },
  bi: { one: '{0} bilhão', other: '{0} bilhões' },
}

const FRACTIONS: Language['fractions'] = {
  '½': 'meio',
  '¼': 'um quarto',
  '¾': 'três quartos',
  '⅓': 'um terço',
  '⅔': 'dois terços',
  '⅕': 'um quinto',
  '⅖': 'dois quintos',
  '⅗': 'três quintos',
  '⅘': 'quatro quintos',
  '⅙': 'um sexto',
  '⅚': 'cinco sextos',
  '⅛': 'um oitavo',
  '⅜': 'três oitavos',
  '⅝': 'cinco oitavos',
  '⅞': 'sete oitavos',
}

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
  'R. Aa': 'Rua Aa',
  'nº #': 'número #',
  'n.º #': 'número #',
  'tel.': 'telefone',
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
    },
    ...options,
    date: ({ year, month, day }) =>
      [day === 1 && options.locale === 'pt' ? '1º' : day, monthName('pt', month), year]
        .filter(Boolean)
        .join(' de '),
    time({ hour, minute, second, half }) {
      const part =
        half === undefined
          ? ''
          : half === 'am'
            ? ' da manhã'
            : hour >= 7 && hour < 12
              ? ' da noite'
              : ' da tarde'
      const hours =
        hour === 1 ? 'uma hora' : hour === 2 ? 'duas horas' : `${hour} ${hour === 0 ? 'hora' : 'horas'}`
      const seconds =
        second === undefined || second === 0 ? '' : ` e ${second} ${second === 1 ? 'segundo' : 'segundos'}`
      return `${hours}${minute === 0 ? '' : ` e ${minute}`}${seconds}${part}`
    },
    agree(count, gender) {
      const last = count % 10
      if (gender !== 'feminine' || last < 1 || last > 2 || count % 100 === 11 || count % 100 === 12)
        return undefined
      return portuguese(count).replace(/um$/, 'uma').replace(/dois$/, 'duas')
    },
    currencies: {
      EUR: { one: '{0} euro', other: '{0} euros' },
      USD: { one: '{0} dólar', other: '{0} dólares' },
      GBP: { feminine: true, one: '{0} libra', other: '{0} libras' },
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
