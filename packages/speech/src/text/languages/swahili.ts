import { defineLanguage } from '../define-language.ts'
import type { Language } from '../language.ts'
import { dayPart } from './day-part.ts'

const PARTS_OF_DAY = {
  midnight: ' usiku',
  am: ' asubuhi',
  noon: ' mchana',
  pm: ' mchana',
  evening: ' usiku',
  eveningFrom: 7,
}

const SWAHILI: Language = defineLanguage({
  locale: 'sw',
  symbols: {
    minus: 'hasi',
    plus: 'jumlisha',
    to: 'hadi',
    and: 'na',
    at: 'at',
    dot: 'nukta',
    slash: 'mkwaju',
    dash: 'kistari',
    underscore: 'mstari chini',
    colon: 'nukta mbili',
    equals: 'sawa na',
    question: 'alama ya kuuliza',
    hash: 'alama ya reli',
    percent: 'asilimia',
    tilde: 'tilde',
    by: 'kwa',
    power: 'kwa kipeo cha {0}',
  },
  // The hour is read as written: only the writer knows whether it counts from midnight or from six.
  time({ hour, minute, second, half }) {
    const part = dayPart({ hour, minute, half }, PARTS_OF_DAY)
    const seconds = second === undefined ? '' : ` na sekunde ${second}`
    return `saa ${hour}${minute === 0 ? '' : ` na dakika ${minute}`}${seconds}${part}`
  },
  currencies: {
    KES: { other: 'shilingi {0}' },
    TZS: { other: 'shilingi {0}' },
    USD: { other: 'dola {0}' },
    EUR: { other: 'yuro {0}' },
    GBP: { other: 'pauni {0}' },
    INR: { other: 'rupia {0}' },
    NPR: { other: 'rupia za Nepali {0}' },
  },
  fraction: (over, under) => `${over} juu ya ${under}`,
  fractions: { '½': 'nusu', '¼': 'robo', '¾': 'robo tatu' },
  scales: {
    milioni: { other: 'milioni {0}' },
    elfu: { other: 'elfu {0}' },
    laki: { other: 'laki {0}' },
    K: { other: 'elfu {0}' },
    M: { other: 'milioni {0}' },
    B: { other: 'bilioni {0}' },
  },
  clockWords: { before: 'saa' },
  hundredths: { join: ' na ' },
  cents: {
    KES: { other: 'senti {0}' },
    TZS: { other: 'senti {0}' },
    USD: { other: 'senti {0}' },
    EUR: { other: 'senti {0}' },
  },
  abbreviations: {
    'Bw.': 'Bwana',
    'Bi.': 'Bibi',
    'Dkt.': 'Daktari',
    'Dr.': 'Daktari',
    'Prof.': 'Profesa',
    'n.k.': 'na kadhalika.',
    'k.m.': 'kwa mfano',
    'Na. #': 'namba #',
    'S.L.P.': 'Sanduku la Posta',
  },
})

export const SWAHILI_LANGUAGES: Readonly<Record<string, Language>> = { 'sw-KE': SWAHILI, 'sw-TZ': SWAHILI }
