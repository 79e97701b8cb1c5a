import { toCardinal as simplified } from 'n2words/zh-Hans-CN'
import { toCardinal as traditional } from 'n2words/zh-Hant-TW'
import { defineLanguage } from '../define-language.ts'
import { nameSigns } from '../fraction-signs.ts'
import { SIMPLIFIED_EMOJI, TRADITIONAL_EMOJI } from '../emoji-names.ts'
import { unitsOf } from '../units.ts'
import type { Language, SymbolNames } from '../language.ts'
import { dayPart } from './day-part.ts'

const PARTS_OF_DAY = {
  midnight: '凌晨',
  am: '上午',
  noon: '中午',
  pm: '下午',
  evening: '下午',
  eveningFrom: 12,
}

const DIGITS = '零一二三四五六七八九'
const digits = (all: string): string => [...all].map((digit) => DIGITS[Number(digit)] ?? digit).join('')
/** Years are read digit by digit, with a round zero. */
const year = (value: number): string => digits(String(value)).replaceAll('零', '〇')

function chinese(options: {
  locale: string
  toCardinal: typeof simplified
  symbols: SymbolNames
  point: string
  currencies: Language['currencies']
}): Language {
  const { locale, toCardinal, symbols, point, currencies } = options
  // eSpeak NG reads 12345 as twelve thousands.
  // A full group of four digits follows without a zero: 五十万一千.
  const integer = (value: string) =>
    toCardinal(value, { formal: false })
      .replace(/^一十/, '十')
      .replace(/(?<=[万萬])零(?=.千)|(?<=[亿億])零(?=.千.{0,6}[万萬])/g, '')
  /** Two things are 两, except in a larger number. */
  const counted = (value: string) => (value === '2' ? (locale === 'zh' ? '两' : '兩') : integer(value))
  const fraction = (over: number, under: number) => `${integer(String(under))}分之${integer(String(over))}`
  const language: Language = defineLanguage({
    locale,
    emoji: locale === 'zh' ? SIMPLIFIED_EMOJI : TRADITIONAL_EMOJI,
    symbols,
    dateOrder: 'ymd',
    digits,
    number: (numeral) =>
      `${numeral.negative ? symbols.minus : ''}${integer(numeral.integer)}${numeral.fraction === '' ? '' : point + digits(numeral.fraction)}`,
    count: (numeral, { other }) => {
      // A sign precedes the words of a percentage: 负百分之五.
      const sign = numeral.negative && other.startsWith('百') ? symbols.minus : ''
      const plain = sign === '' ? numeral : { ...numeral, negative: false }
      const spoken =
        plain.integer === '2' && plain.fraction === '' && !plain.negative && !other.startsWith('百')
          ? counted('2')
          : language.number(plain)
      return sign + other.replace('{0}', () => spoken)
    },
    date: (date) =>
      (date.year === undefined ? '' : `${year(date.year)}年`) +
      (date.month === undefined ? '' : `${integer(String(date.month))}月`) +
      (date.day === undefined ? '' : `${integer(String(date.day))}日`),
    time({ hour, minute, second, half }) {
      const part = dayPart({ hour, minute, half }, PARTS_OF_DAY)
      const seconds = second === undefined ? '' : `${integer(String(second))}秒`
      const minutes = minute === 0 ? '' : `${minute < 10 ? '零' : ''}${integer(String(minute))}分`
      return `${part}${counted(String(hour))}${point}${minutes}${seconds}`
    },
    currencies,
    // CLDR has 秒钟, which is wrong after minutes: 四分五秒.
    units: { ...unitsOf(locale), s: { other: '{0}秒' } },
    scales: Object.fromEntries([...'万萬亿億'].map((scale) => [scale, { other: `{0}${scale}` }])),
    counters: [{ pattern: /(?<![\d第.,])2(?=[个個位次天条條张張只隻本件名杯])/g, say: () => counted('2') }],
    fraction,
    mixed: '又',
    fractions: nameSigns(fraction),
    spell: (letters) => [...letters].join(' '),
  })
  return language
}

const MAINLAND = chinese({
  locale: 'zh',
  toCardinal: simplified,
  point: '点',
  currencies: { CNY: { other: '{0}元' } },
  symbols: {
    minus: '负',
    plus: '加',
    to: '到',
    and: '和',
    at: '艾特',
    dot: '点',
    slash: '斜杠',
    dash: '横杠',
    underscore: '下划线',
    colon: '冒号',
    equals: '等于',
    question: '问号',
    hash: '井号',
    percent: '百分号',
    tilde: '波浪号',
    by: '乘',
    power: '的{0}次方',
  },
})

export const CHINESE: Readonly<Record<string, Language>> = {
  'zh-CN': MAINLAND,
  'zh-TW': chinese({
    locale: 'zh-Hant',
    toCardinal: traditional,
    point: '點',
    currencies: { TWD: { other: '{0}元' }, CNY: { other: '{0}元人民幣' } },
    symbols: {
      minus: '負',
      plus: '加',
      to: '到',
      and: '和',
      at: '小老鼠',
      dot: '點',
      slash: '斜線',
      dash: '橫線',
      underscore: '底線',
      colon: '冒號',
      equals: '等於',
      question: '問號',
      hash: '井號',
      percent: '百分號',
      tilde: '波浪號',
      by: '乘',
      power: '的{0}次方',
    },
  }),
}

/** Regions whose rules differ from those of the mainland. */
export const CHINESE_REGIONS: Readonly<Record<string, Language>> = {
  'zh-SG': { ...MAINLAND, dollar: 'SGD' },
}
