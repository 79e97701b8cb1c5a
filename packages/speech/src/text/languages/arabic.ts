import { defineLanguage } from '../define-language.ts'
import type { Language } from '../language.ts'

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

export const ARABIC: Readonly<Record<string, Language>> = {
  'ar-SA': defineLanguage({
    locale: 'ar',
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
      const part = half === undefined ? '' : half === 'am' ? ' صباحا' : ' مساء'
      const seconds = second === undefined || second === 0 ? '' : ` و ${second} ثانية`
      return `الساعة ${hour}${minute === 0 ? '' : ` و ${minute} دقيقة`}${seconds}${part}`
    },
    currencies: {
      SAR: { few: '{0} ريالات', other: '{0} ريال' },
      USD: { few: '{0} دولارات', other: '{0} دولار' },
      GBP: { few: '{0} جنيهات', other: '{0} جنيه' },
      JPY: { other: '{0} ين' },
      KRW: { other: '{0} وون' },
      TRY: { feminine: true, few: '{0} ليرات', other: '{0} ليرة' },
      INR: { feminine: true, few: '{0} روبيات', other: '{0} روبية' },
      NPR: { feminine: true, few: '{0} روبيات نيبالية', other: '{0} روبية نيبالية' },
    },
    hundredths: { join: ' و ' },
    cents: {
      SAR: { feminine: true, few: '{0} هللات', other: '{0} هللة' },
      USD: { few: '{0} سنتات', other: '{0} سنت' },
      EUR: { few: '{0} سنتات', other: '{0} سنت' },
    },
    fraction,
    fractions: { '½': 'نصف', '¼': 'ربع', '¾': 'ثلاثة أرباع' },
    scales: { مليون: 'مليون', مليار: 'مليار', ألف: 'ألف' },
    clockWords: { before: 'الساعة' },
    abbreviations: { 'د.': 'الدكتور', 'أ.د.': 'الأستاذ الدكتور', 'ص.ب.': 'صندوق بريد', 'إلخ.': 'إلى آخره' },
    spell: (letters) => [...letters].map((letter) => LETTERS[letter.charCodeAt(0) - 65] ?? letter).join(' '),
  }),
}
