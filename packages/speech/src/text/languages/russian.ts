import { toCardinal, toOrdinal } from 'n2words/ru-RU'
import { dayPart } from './day-part.ts'
import { agreementCounter, endsIn } from './agreement.ts'
import { CASE_COUNTERS } from './russian-cases.ts'
import { BARE_CENTS, defineLanguage, monthName } from '../define-language.ts'
import { nameSigns } from '../fraction-signs.ts'
import { wholeNumeral } from '../numerals.ts'
import { unitsOf } from '../units.ts'
import type { Forms, Language } from '../language.ts'

const PARTS_OF_DAY = {
  midnight: ' ночи',
  am: ' утра',
  noon: ' дня',
  pm: ' дня',
  evening: ' вечера',
  eveningFrom: 5,
}

/** A day in the case that the preposition before it needs: `к пятому мая`, `на пятое мая`, else `пятого мая`. */
function inflectDay(day: number, before: string): string {
  const preposition = /(?:^|\s)(ко?|на|по)\s(?:\p{L}+(?: \p{L}+)? – )?$/iu.exec(before)?.[1]?.toLowerCase()
  return ordinal(day, preposition === undefined ? '-го' : preposition.startsWith('к') ? '-му' : '-е', ' мая')
}

/** Endings of ordinals by the last letter of their suffix, from the masculine: `второй` to `вторая`. */
const ENDINGS: Readonly<Record<string, readonly [hard: string, third: string]>> = {
  я: ['ая', 'ья'],
  е: ['ое', 'ье'],
  о: ['ого', 'ьего'],
  м: ['ом', 'ьем'],
  у: ['ому', 'ьему'],
  х: ['ых', 'ьих'],
}

function ordinal(number: number, suffix: string, after = ''): string {
  const masculine = toOrdinal(number).replace(/^одна (?=тысяч)/, '')
  // A decade is plural: `1990-е`, `90-е годы`.
  const isDecade =
    number % 10 === 0 && (number > 999 || (number < 100 && /^(?: год|$|[.,;:!?)])/.test(after)))
  if (suffix === '-е' && isDecade) return masculine.replace(/(?:ый|ой)$/, 'ые')
  const ending = ENDINGS[suffix.at(-1) ?? '']
  if (ending === undefined) return masculine
  return masculine.endsWith('третий')
    ? masculine.replace(/ий$/, ending[1])
    : masculine.replace(/(?:ый|ой)$/, ending[0])
}

/** A number of something feminine, with words where digits would be masculine. */
const sayFeminine = (count: number): string =>
  russian.count(wholeNumeral(count), { feminine: true, other: '{0}' })

/** `31/17`: both agree with the part that is meant, which is feminine. */
function fraction(over: number, under: number, count = sayFeminine(over)): string {
  const isOne = over % 10 === 1 && over % 100 !== 11
  return `${count} ${ordinal(under, isOne ? 'я' : 'х')}`
}

const NO_NOUN =
  /^(?:или|при|если|после|когда|тогда|также|только|были|была|было|стали|стала|могли|для|из-за|как|так|это|его|её|мая|марта|июня|июля|августа|января|февраля|апреля|октября|ноября|декабря|сентября|года|вместо|около|тоже|уже|ещё|где|она|оно|они|мы|вы)$/
const MASCULINE = /^(?:мужчина|дядя|папа|дедушка|судья|юноша)$/

/** One thing is in the nominative, whose ending tells its gender; two are in the genitive: `две недели`, `два дня`. */
function genderOf(noun: string, count: number): 'feminine' | 'neuter' | undefined {
  if (NO_NOUN.test(noun) || MASCULINE.test(noun)) return undefined
  if (endsIn(count, 1)) return /[ая]$/.test(noun) ? 'feminine' : /[оеё]$/.test(noun) ? 'neuter' : undefined
  return endsIn(count, 2) &&
    /[ыи]$/.test(noun) &&
    !/(?:мужчины|дяди|папы|дедушки|судьи|юноши|[аяь]ми)$/.test(noun)
    ? 'feminine'
    : undefined
}

function agree(count: number, gender: 'masculine' | 'feminine' | 'neuter'): string | undefined {
  if (gender === 'masculine' || !(endsIn(count, 1) || endsIn(count, 2))) return undefined
  const words = toCardinal(count)
  return gender === 'feminine'
    ? words.replace(/один$/, 'одна').replace(/два$/, 'две')
    : words.replace(/один$/, 'одно')
}

const DECIMAL_PARTS = ['', 'десят', 'сот', 'тысячн', 'десятитысячн']

/** `2,03` as it is read in Russian: 2 целых 3 сотых; undefined with more digits, which are read one by one. */
function decimalParts(integer: string, fraction: string): string | undefined {
  const part = DECIMAL_PARTS[fraction.length]
  if (part === undefined || part === '' || integer.length > 6) return undefined
  const say = (count: number, stem: string) =>
    `${sayFeminine(count)} ${stem}${endsIn(count, 1) ? 'ая' : 'ых'}`
  return `${say(Number(integer), 'цел')} ${say(Number(fraction), part)}`
}

const THOUSANDS: Forms = {
  feminine: true,
  one: '{0} тысяча',
  few: '{0} тысячи',
  many: '{0} тысяч',
  other: '{0} тысячи',
}
const MILLIONS: Forms = {
  one: '{0} миллион',
  few: '{0} миллиона',
  many: '{0} миллионов',
  other: '{0} миллиона',
}
const BILLIONS: Forms = {
  one: '{0} миллиард',
  few: '{0} миллиарда',
  many: '{0} миллиардов',
  other: '{0} миллиарда',
}
const SCALES = { тыс: THOUSANDS, 'тыс.': THOUSANDS, млн: MILLIONS, млрд: BILLIONS }
const MINUTES: Forms = { feminine: true, one: '{0} минута', few: '{0} минуты', other: '{0} минут' }
const HOURS: Forms = { one: '{0} час', few: '{0} часа', other: '{0} часов' }
const SECONDS: Forms = { feminine: true, one: '{0} секунда', few: '{0} секунды', other: '{0} секунд' }
const russian: Language = defineLanguage({
  locale: 'ru',
  decimal: ',',
  spaceGroups: true,
  symbols: {
    minus: 'минус',
    plus: 'плюс',
    // After a number in the nominative, до would be wrong: десять – двадцать.
    to: '–',
    and: 'и',
    at: 'собака',
    dot: 'точка',
    slash: 'слэш',
    dash: 'дефис',
    underscore: 'нижнее подчёркивание',
    colon: 'двоеточие',
    equals: 'равно',
    question: 'вопросительный знак',
    hash: 'решётка',
    percent: 'процент',
    tilde: 'тильда',
    by: 'на',
    power: 'в степени {0}',
  },
  // eSpeak NG reads any decimal comma as tenths.
  number: ({ negative, integer, fraction }) =>
    `${negative ? 'минус ' : ''}${decimalParts(integer, fraction) ?? `${integer}${fraction === '' ? '' : ` запятая ${fraction}`}`}`,
  date: ({ year, month, day }, before) =>
    [
      day === undefined ? '' : inflectDay(day, before),
      monthName('ru', month),
      year === undefined ? '' : `${ordinal(year, '-го')} года`,
    ]
      .filter(Boolean)
      .join(' '),
  time({ hour, minute, second, half }, before = '') {
    const part = dayPart({ hour, minute, half }, hour < 4 ? { ...PARTS_OF_DAY, am: ' ночи' } : PARTS_OF_DAY)
    return (
      [
        russian.count(wholeNumeral(hour), HOURS),
        minute > 0 ? russian.count(wholeNumeral(minute), MINUTES) : '',
        second === undefined ? '' : russian.count(wholeNumeral(second), SECONDS),
      ]
        .filter(Boolean)
        .join(' ')
        // After the preposition в, the accusative: в 1 час одну минуту.
        .replace(/одна (минут|секунд)а/g, (all, unit: string) =>
          /(?:^|\s)в\s$/iu.test(before) ? `одну ${unit}у` : all,
        )
        .concat(part)
    )
  },
  agree,
  counters: [
    ...CASE_COUNTERS,
    agreementCounter({
      groups: '.',
      genderOf,
      beforeOne:
        'в|на|за|из|по|и|или|ещё|еще|есть|только|через|всего|около|у|с|до|нужна|нужно|осталась|осталось|был|была|было',
      agree,
    }),
  ],
  ordinalSuffix: '-(?:й|ый|ой|я|ая|е|ое|го|ого|му|м|ом|х|ых)',
  ordinal,
  currencies: {
    RUB: { one: '{0} рубль', few: '{0} рубля', many: '{0} рублей', other: '{0} рубля' },
    USD: { one: '{0} доллар', few: '{0} доллара', many: '{0} долларов', other: '{0} доллара' },
    GBP: { one: '{0} фунт', few: '{0} фунта', many: '{0} фунтов', other: '{0} фунта' },
    JPY: { feminine: true, one: '{0} иена', few: '{0} иены', many: '{0} иен', other: '{0} иены' },
    KRW: { feminine: true, one: '{0} вона', few: '{0} воны', many: '{0} вон', other: '{0} воны' },
    TRY: { feminine: true, one: '{0} лира', few: '{0} лиры', many: '{0} лир', other: '{0} лиры' },
    INR: { feminine: true, one: '{0} рупия', few: '{0} рупии', many: '{0} рупий', other: '{0} рупии' },
    NPR: {
      feminine: true,
      one: '{0} непальская рупия',
      few: '{0} непальские рупии',
      many: '{0} непальских рупий',
      other: '{0} непальской рупии',
    },
  },
  mixedHalf: 'с половиной',
  fraction,
  fractions: {
    ...nameSigns((over, under) => fraction(over, under, agree(over, 'feminine') ?? toCardinal(over))),
    '½': 'половина',
    '¼': 'четверть',
    '¾': 'три четверти',
    '⅓': 'треть',
    '⅔': 'две трети',
  },
  scales: SCALES,
  units: { ...unitsOf('ru'), ...SCALES },
  hundredths: { join: ' ', bareFrom: BARE_CENTS },
  cents: {
    RUB: {
      feminine: true,
      one: '{0} копейка',
      few: '{0} копейки',
      many: '{0} копеек',
      other: '{0} копейки',
    },
    USD: { one: '{0} цент', few: '{0} цента', many: '{0} центов', other: '{0} цента' },
    EUR: { one: '{0} цент', few: '{0} цента', many: '{0} центов', other: '{0} цента' },
  },
  addressWords: {
    com: 'ком',
    org: 'орг',
    net: 'нет',
    ru: 'ру',
    gmail: 'джимейл',
    yahoo: 'яху',
    yandex: 'яндекс',
    google: 'гугл',
  },
  // ГОСТ Р 7.0.12-2011 (abbreviations of Russian words), and those of addresses.
  abbreviations: {
    'т. е.': 'то есть',
    'т.е.': 'то есть',
    'и т. д.': 'и так далее.',
    'и т.д.': 'и так далее.',
    'и др.': 'и другие.',
    'и т. п.': 'и тому подобное.',
    'и т.п.': 'и тому подобное.',
    'т. к.': 'так как',
    'т.к.': 'так как',
    ', д. #': 'дом #',
    ', кв. #': 'квартира #',
    ', корп. #': 'корпус #',
    '( стр. #': 'страница #',
    'напр.': 'например',
    ', пл. Aa': 'площадь Aa',
    'до н. э.': 'до нашей эры.',
    'до н.э.': 'до нашей эры.',
    'н. э.': 'нашей эры.',
    'н.э.': 'нашей эры.',
    'ул.': 'улица',
    'тел.': 'телефон',
    млн: 'миллионов',
    млрд: 'миллиардов',
    'тыс.': 'тысяч',
    'руб.': 'рублей.',
    'г. Aa': 'город Aa',
    'им. Aa': 'имени Aa',
    '№ #': 'номер #',
  },
})

export const RUSSIAN: Readonly<Record<string, Language>> = { 'ru-RU': russian }
