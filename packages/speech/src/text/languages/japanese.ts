import { defineLanguage } from '../define-language.ts'
import { nameSigns } from '../fraction-signs.ts'
import { JAPANESE_EMOJI } from '../emoji-names.ts'
import type { Language } from '../language.ts'

// In kana, because eSpeak NG reads every kanji as the words `Chinese letter`, and 10000 as ten thousands.

const DIGITS = 'ぜろ いち に さん よん ご ろく なな はち きゅう'.split(' ')
const digit = (value: number): string => DIGITS[value] ?? ''

/** Powers of ten with the sounds that change: さんびゃく, ろっぴゃく, はっせん. */
const POWERS: readonly (readonly [
  power: number,
  name: string,
  irregular: Readonly<Record<number, string>>,
])[] = [
  [1000, 'せん', { 1: 'せん', 3: 'さんぜん', 8: 'はっせん' }],
  [100, 'ひゃく', { 1: 'ひゃく', 3: 'さんびゃく', 6: 'ろっぴゃく', 8: 'はっぴゃく' }],
  [10, 'じゅう', { 1: 'じゅう' }],
]
/** Names of the powers of 10,000. */
const MYRIADS = ['', 'まん', 'おく', 'ちょう']

function belowMyriad(value: number): string {
  let rest = value
  let words = ''
  for (const [power, name, irregular] of POWERS) {
    const count = Math.floor(rest / power)
    rest %= power
    if (count > 0) words += irregular[count] ?? digit(count) + name
  }
  return rest > 0 ? words + digit(rest) : words
}

/** A count of myriads, before which a thousand is いっせん. */
const belowMyriadOrThousand = (count: number): string => (count === 1000 ? 'いっせん' : belowMyriad(count))

/** What follows a power of 10,000. */
const COUNTED: Readonly<Record<string, string>> = { 円: 'えん', 人: 'にん' }
const PEOPLE: Readonly<Record<number, string>> = { 1: 'ひとり', 2: 'ふたり', 4: 'よにん' }
const people = (count: number): string => PEOPLE[count] ?? `${cardinal(count)}にん`

/** A cardinal number of at most 15 digits. */
function cardinal(value: number): string {
  if (value === 0) return digit(0)
  let words = ''
  for (let rest = value, power = 0; rest > 0; rest = Math.floor(rest / 10_000), power++) {
    const group = rest % 10_000
    if (group === 0) continue
    const spoken =
      power === 3 && group === 1 ? 'いっ' : power > 0 ? belowMyriadOrThousand(group) : belowMyriad(group)
    words = spoken + (MYRIADS[power] ?? '') + words
  }
  return words
}

const fraction = (over: number, under: number): string => `${cardinal(under)}ぶんの${cardinal(over)}`

const MONTHS = 'いち に さん し ご ろく しち はち く じゅう じゅういち じゅうに'.split(' ')
/** Days of the month with names of their own. */
const DAYS: Readonly<Record<number, string>> = {
  1: 'ついたち',
  2: 'ふつか',
  3: 'みっか',
  4: 'よっか',
  5: 'いつか',
  6: 'むいか',
  7: 'なのか',
  8: 'ようか',
  9: 'ここのか',
  10: 'とおか',
  14: 'じゅうよっか',
  17: 'じゅうしちにち',
  19: 'じゅうくにち',
  20: 'はつか',
  24: 'にじゅうよっか',
  27: 'にじゅうしちにち',
  29: 'にじゅうくにち',
}

/** Changes the end of a number before a counter: 4 is よ, 7 しち and 9 く before hours. */
const hours = (hour: number): string =>
  `${cardinal(hour)
    .replace(/よん$/, 'よ')
    .replace(/なな$/, 'しち')
    .replace(/きゅう$/, 'く')
    .replace(/^ぜろ$/, 'れい')}じ`
const years = (year: number): string => `${cardinal(year).replace(/よん$/, 'よ')}ねん`

/** Minutes are ふん or ぷん, after numbers that contract. */
function minutes(minute: number): string {
  const words = cardinal(minute)
  const contracted = words
    .replace(/いち$/, 'いっ')
    .replace(/く$/, 'っ')
    .replace(/はち$/, 'はっ')
    .replace(/じゅう$/, 'じゅっ')
  return contracted === words && !/[さよせぜ]ん$/.test(words) ? `${words}ふん` : `${contracted}ぷん`
}

const WEEKDAYS: Readonly<Record<string, string>> = {
  月: 'げつようび',
  火: 'かようび',
  水: 'すいようび',
  木: 'もくようび',
  金: 'きんようび',
  土: 'どようび',
  日: 'にちようび',
}

/** English letters as they are named in Japanese. */
const LETTERS =
  'エー ビー シー ディー イー エフ ジー エイチ アイ ジェー ケー エル エム エヌ オー ピー キュー アール エス ティー ユー ブイ ダブリュー エックス ワイ ゼット'.split(
    ' ',
  )

const japanese: Language = defineLanguage({
  locale: 'ja',
  emoji: JAPANESE_EMOJI,
  symbols: {
    minus: 'マイナス',
    plus: 'プラス',
    to: 'から',
    and: 'アンド',
    at: 'アットマーク',
    dot: 'ドット',
    slash: 'スラッシュ',
    dash: 'ハイフン',
    underscore: 'アンダーバー',
    colon: 'コロン',
    equals: 'イコール',
    question: 'はてな',
    hash: 'シャープ',
    percent: 'パーセント',
    tilde: 'チルダ',
    by: 'かける',
    power: 'の{0}じょう',
  },
  dateOrder: 'ymd',
  digits: (all) => [...all].map((one) => digit(Number(one))).join(' '),
  number: ({ negative, integer, fraction }) =>
    `${negative ? 'マイナス' : ''}${cardinal(Number(integer))}${fraction === '' ? '' : `てん${[...fraction].map((one) => digit(Number(one))).join('')}`}`,
  count: (numeral, { other }) => other.replace('{0}', () => japanese.number(numeral)),
  date: ({ year, month, day }) =>
    (year === undefined ? '' : years(year)) +
    (month === undefined ? '' : `${MONTHS[month - 1] ?? ''}がつ`) +
    (day === undefined ? '' : (DAYS[day] ?? `${cardinal(day)}にち`)),
  time({ hour, minute, second, half }) {
    const part = half === undefined ? '' : half === 'am' ? 'ごぜん' : 'ごご'
    const seconds = second === undefined ? '' : `${cardinal(second)}びょう`
    return `${part}${hours(hour)}${minute === 0 ? '' : minutes(minute)}${seconds}`
  },
  currencies: {
    JPY: { other: '{0}えん' },
    USD: { other: '{0}ドル' },
    EUR: { other: '{0}ユーロ' },
    GBP: { other: '{0}ポンド' },
    INR: { other: '{0}ルピー' },
    NPR: { other: '{0}ネパールルピー' },
    CNY: { other: '{0}げん' },
  },
  counters: [
    {
      pattern:
        /(?<=日|(?:にち|[いかっつ][かた]ち?|か))[（(](?<day>[月火水木金土日])(?:[・･](?<rest>[祝休]))?[）)]/g,
      say: ({ groups }) => `${WEEKDAYS[groups?.['day'] ?? ''] ?? ''}${groups?.['rest'] ?? ''}`,
    },
    // `2,000人` and `3,000万円`: a comma groups digits.
    {
      pattern: /(?<![\d.,])[1-9]\d{0,2}(?:,\d{3}){1,4}(?=[年分人万億兆])/g,
      say: ([number]) => number.replaceAll(',', ''),
    },
    { pattern: /(?<!\d|\d\.)(\d{1,6})年/g, say: ([, count]) => years(Number(count)) },
    {
      pattern: /(?<![\d.])(\d{1,4})分の(\d{1,4})(?!\d)/g,
      say: ([, under, over]) => fraction(Number(over), Number(under)),
    },
    { pattern: /(?<!\d)(\d{1,4})分(?!の\d)/g, say: ([, count]) => minutes(Number(count)) },
    { pattern: /(?<!\d|\d\.)(\d{1,9})人/g, say: ([, count]) => people(Number(count)) },
    {
      pattern: /(?<!\d|\d\.)(?<count>\d{1,4})(?:\.(?<part>\d{1,4}))?(?<power>[万億兆])(?<counted>[円人]?)/g,
      say: ({ groups = {} }) => {
        const { count = '', part, power = '', counted = '' } = groups
        const said =
          part === undefined
            ? belowMyriadOrThousand(Number(count))
            : japanese.number({ negative: false, integer: count, fraction: part })
        return said + (MYRIADS['万億兆'.indexOf(power) + 1] ?? '') + (COUNTED[counted] ?? '')
      },
    },
  ],
  fraction,
  mixed: 'と',
  fractions: nameSigns(fraction),
  addressWords: {
    com: 'コム',
    co: 'シーオー',
    net: 'ネット',
    org: 'オーグ',
    gmail: 'ジーメール',
    yahoo: 'ヤフー',
    google: 'グーグル',
    outlook: 'アウトルック',
  },
  spell: (letters) => [...letters].map((letter) => LETTERS[letter.charCodeAt(0) - 65] ?? letter).join(''),
})

export const JAPANESE: Readonly<Record<string, Language>> = { 'ja-JP': japanese }
