import { defineLanguage } from '../define-language.ts'
import type { Forms, Language } from '../language.ts'
import { dayPart } from './day-part.ts'

const PARTS_OF_DAY = {
  midnight: ' ليلا',
  am: ' صباحا',
  noon: ' ظهرا',
  pm: ' مساء',
  evening: ' مساء',
  eveningFrom: 12,
}

/** English letters as they are named in Arabic. */
const LETTERS =
  'إيه بي سي دي إي إف جي إتش آي جيه كيه إل إم إن أو بي كيو آر إس تي يو في دبليو إكس واي زد'.split(' ')

/** Parts from a third to a tenth: one, two, and more. */
const PARTS: Readonly<Record<number, readonly [one: string, two: string, more: string]>> = {
  2: ['نصف', 'نصفان', 'أنصاف'],
  3: ['ثلث', 'ثلثان', 'أثلاث'],
  4: ['ربع', 'ربعان', 'أرباع'],
  5: ['خمس', 'خمسان', 'أخماس'],
  6: ['سدس', 'سدسان', 'أسداس'],
  7: ['سبع', 'سبعان', 'أسباع'],
  8: ['ثمن', 'ثمنان', 'أثمان'],
  9: ['تسع', 'تسعان', 'أتساع'],
  10: ['عشر', 'عشران', 'أعشار'],
}

function fraction(over: number, under: number): string {
  const [one, two, more] = PARTS[under] ?? []
  if (one === undefined || over > 10) return `${over} على ${under}`
  return (over === 1 ? one : over === 2 ? two : `${over} ${more}`) ?? one
}

const CENT: Forms = { one: 'سنت واحد', two: 'سنتان', few: '{0} سنتات', other: '{0} سنت' }

/** Before what they count, two lose their last letter: `مليونا ريال`. */
const SCALES: Language['scales'] = {
  مليون: { one: 'مليون', two: 'مليونا', few: '{0} ملايين', other: '{0} مليون' },
  مليار: { one: 'مليار', two: 'مليارا', few: '{0} مليارات', other: '{0} مليار' },
  ألف: { one: 'ألف', two: 'ألفا', few: '{0} آلاف', other: '{0} ألف' },
}

export const ARABIC: Readonly<Record<string, Language>> = {
  'ar-SA': defineLanguage({
    locale: 'ar',
    number: ({ negative, integer, fraction }) =>
      `${negative ? 'ناقص ' : ''}${integer}${fraction === '' ? '' : ` فاصلة ${/^0|\d{3}/.test(fraction) ? [...fraction].join(' ') : fraction}`}`,
    commaIsDecimal: true,
    symbols: {
      minus: 'ناقص',
      plus: 'زائد',
      to: 'إلى',
      and: 'و',
      at: 'آت',
      dot: 'نقطة',
      slash: 'شرطة مائلة',
      dash: 'شرطة',
      underscore: 'شرطة سفلية',
      colon: 'نقطتان',
      equals: 'يساوي',
      question: 'علامة استفهام',
      hash: 'هاشتاغ',
      percent: 'بالمائة',
      tilde: 'تيلدا',
      by: 'في',
      power: 'أس {0}',
    },
    time({ hour, minute, second, half }) {
      const part = dayPart({ hour, minute, half }, PARTS_OF_DAY)
      const seconds = second === undefined ? '' : ` و ${second} ثانية`
      return `الساعة ${hour}${minute === 0 ? '' : ` و ${minute} دقيقة`}${seconds}${part}`
    },
    currencies: {
      SAR: { one: 'ريال واحد', two: 'ريالان', few: '{0} ريالات', other: '{0} ريال' },
      USD: { one: 'دولار واحد', two: 'دولاران', few: '{0} دولارات', other: '{0} دولار' },
      GBP: { one: 'جنيه واحد', two: 'جنيهان', few: '{0} جنيهات', other: '{0} جنيه' },
      EUR: { one: 'يورو واحد', other: '{0} يورو' },
      AED: { one: 'درهم واحد', two: 'درهمان', few: '{0} دراهم', other: '{0} درهم' },
      KWD: {
        one: 'دينار كويتي واحد',
        two: 'ديناران كويتيان',
        few: '{0} دنانير كويتية',
        other: '{0} دينار كويتي',
      },
      EGP: {
        one: 'جنيه مصري واحد',
        two: 'جنيهان مصريان',
        few: '{0} جنيهات مصرية',
        other: '{0} جنيه مصري',
      },
      JPY: { other: '{0} ين' },
      KRW: { other: '{0} وون' },
      TRY: { feminine: true, few: '{0} ليرات', other: '{0} ليرة' },
      INR: { feminine: true, few: '{0} روبيات', other: '{0} روبية' },
      NPR: { feminine: true, few: '{0} روبيات نيبالية', other: '{0} روبية نيبالية' },
    },
    hundredths: { join: ' و ' },
    cents: {
      SAR: { feminine: true, one: 'هللة واحدة', two: 'هللتان', few: '{0} هللات', other: '{0} هللة' },
      USD: CENT,
      EUR: CENT,
    },
    fraction,
    fractions: { '½': 'نصف', '¼': 'ربع', '¾': 'ثلاثة أرباع' },
    scales: SCALES,
    clockWords: { before: 'الساعة' },
    abbreviations: {
      '# هـ': 'هجرية',
      'د.': 'الدكتور',
      'أ.د.': 'الأستاذ الدكتور',
      'ص.ب.': 'صندوق بريد',
      'إلخ.': 'إلى آخره',
    },
    addressWords: {
      com: 'كوم',
      org: 'أورغ',
      net: 'نت',
      gmail: 'جيميل',
      hotmail: 'هوتميل',
      outlook: 'أوتلوك',
      yahoo: 'ياهو',
      google: 'غوغل',
    },
    spell: (letters) => [...letters].map((letter) => LETTERS[letter.charCodeAt(0) - 65] ?? letter).join(' '),
  }),
}
