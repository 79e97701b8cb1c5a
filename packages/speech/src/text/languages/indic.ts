import { defineLanguage, monthName, withDigitsOf } from '../define-language.ts'
import { halfCounter, inHundreds, yearCounter } from './indic-numbers.ts'
import type { Language } from '../language.ts'

/** English letters as they are named in Hindi and Nepali, which differ in two. */
const LETTERS = 'ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई ज़ेड'.split(' ')
const NEPALI_LETTERS = 'ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू भी डब्लु एक्स वाई जेड'.split(' ')
const speller = (names: readonly string[]) => (letters: string) =>
  [...letters].map((letter) => names[letter.charCodeAt(0) - 65] ?? letter).join(' ')

/** Part of the day of an hour of the clock of twelve, as both languages divide it. */
function periodOf(hour: number, half: 'am' | 'pm'): 'night' | 'morning' | 'noon' | 'evening' {
  const of24 = (hour % 12) + (half === 'pm' ? 12 : 0)
  if (of24 < 4 || of24 >= 20) return 'night'
  return of24 < 12 ? 'morning' : of24 < 16 ? 'noon' : 'evening'
}
const HINDI_PERIODS = { night: 'रात', morning: 'सुबह', noon: 'दोपहर', evening: 'शाम' } as const
const NEPALI_PERIODS = { night: 'राति', morning: 'बिहान', noon: 'दिउँसो', evening: 'साँझ' } as const

/** eSpeak NG misreads the point between digits in Hindi, as `dasamlo`. */
const number: Language['number'] = ({ negative, integer, fraction }) =>
  `${negative ? 'माइनस ' : ''}${integer}${fraction === '' ? '' : ` दशमलव ${[...fraction].join(' ')}`}`

const HINDI_ORDINALS: Readonly<Record<string, string>> = {
  '1ल': 'पहल',
  '2र': 'दूसर',
  '3र': 'तीसर',
  '4थ': 'चौथ',
  '6ठ': 'छठ',
}
/** English ordinals, as they are read in Hindi. */
const ENGLISH_ORDINALS = 'फ़र्स्ट सेकंड थर्ड फ़ोर्थ फ़िफ्थ सिक्स्थ सेवंथ एटथ नाइंथ टेंथ इलेवंथ ट्वेल्फ्थ'.split(' ')

const HINDI: Language = defineLanguage({
  locale: 'hi',
  number,
  symbols: {
    minus: 'माइनस',
    plus: 'प्लस',
    to: 'से',
    and: 'और',
    at: 'ऐट',
    dot: 'डॉट',
    slash: 'स्लैश',
    dash: 'डैश',
    underscore: 'अंडरस्कोर',
    colon: 'कोलन',
    equals: 'बराबर',
    question: 'प्रश्न चिह्न',
    hash: 'हैश',
    percent: 'प्रतिशत',
    tilde: 'टिल्ड',
    by: 'बाई',
    power: 'की घात {0}',
  },
  time({ hour, minute, second, half }) {
    const part = half === undefined ? '' : `${HINDI_PERIODS[periodOf(hour, half)]} `
    const seconds = second === undefined ? '' : ` ${second} सेकंड`
    return `${part}${hour} ${minute === 0 ? 'बजे' : `बजकर ${minute} मिनट`}${seconds}`
  },
  currencies: {
    INR: { one: '{0} रुपया', other: '{0} रुपये' },
    NPR: { one: '{0} नेपाली रुपया', other: '{0} नेपाली रुपये' },
    USD: { other: '{0} डॉलर' },
    GBP: { other: '{0} पाउंड' },
    JPY: { other: '{0} येन' },
    KRW: { other: '{0} वॉन' },
    TRY: { other: '{0} लीरा' },
  },
  hundredths: { join: ' ' },
  cents: {
    INR: { one: '{0} पैसा', other: '{0} पैसे' },
    NPR: { one: '{0} पैसा', other: '{0} पैसे' },
    USD: { other: '{0} सेंट' },
    GBP: { one: '{0} पेनी', other: '{0} पेंस' },
    EUR: { other: '{0} सेंट' },
  },
  abbreviations: {
    'डॉ.': 'डॉक्टर',
    'डा.': 'डॉक्टर',
    'प्रो.': 'प्रोफ़ेसर',
    'पं.': 'पंडित',
    'प्रा. लि.': 'प्राइवेट लिमिटेड',
    'प्रा.लि.': 'प्राइवेट लिमिटेड',
    'लि.': 'लिमिटेड',
    'ई.पू.': 'ईसा पूर्व',
    '# ई.': 'ईस्वी',
    'ई. पू.': 'ईसा पूर्व',
    'ई. #': 'ईस्वी #',
    'कि. मी.': 'किलोमीटर',
    'कि. ग्रा.': 'किलोग्राम',
    'कि.मी.': 'किलोमीटर',
    'कि.ग्रा.': 'किलोग्राम',
    'Dr.': 'डॉक्टर',
    'इं.': 'इंजीनियर',
    'कु.': 'कुमारी',
  },
  date: ({ year, month, day }) =>
    [day, monthName('hi', month), year === undefined ? '' : inHundreds(year, 'सौ')].filter(Boolean).join(' '),
  counters: [
    yearCounter({
      hundred: 'सौ',
      before: 'सन्?|साल|वर्ष|ईस्वी',
      after: ' (?:में|से|की|का|के|तक)',
    }),
    halfCounter({
      words: { 0: 'आधा', 1: 'डेढ़', 2: 'ढाई', more: 'साढ़े' },
      nouns: 'लाख|करोड़|करोड|अरब|हज़ार|किलो|घंटे|घंटा|साल|वर्ष|महीने|महीना|रुपये|रुपए',
    }),
  ],
  fraction: (over, under) => `${over} बटा ${under}`,
  fractions: { '½': 'आधा', '¼': 'चौथाई', '¾': 'तीन चौथाई', '⅓': 'एक तिहाई', '⅔': 'दो तिहाई' },
  scales: { हज़ार: 'हज़ार', हजार: 'हज़ार', लाख: 'लाख', करोड़: 'करोड़', करोड: 'करोड़', अरब: 'अरब' },
  clockWords: { after: 'बजे' },
  ordinalSuffix: '[लरथठ][ाीे]|st|nd|rd|th',
  ordinal: (count, suffix) =>
    /^[a-z]/.test(suffix)
      ? ENGLISH_ORDINALS[count - 1]
      : HINDI_ORDINALS[`${count}${suffix.charAt(0)}`]?.concat(suffix.slice(1)),
  addressWords: {
    com: 'कॉम',
    org: 'ऑर्ग',
    net: 'नेट',
    in: 'इन',
    gmail: 'जीमेल',
    hotmail: 'हॉटमेल',
    outlook: 'आउटलुक',
    yahoo: 'याहू',
    google: 'गूगल',
  },
  spell: speller(LETTERS),
})

/** The months of the Bikram Sambat, the calendar of Nepal, which is 56 to 57 years ahead. */
const BIKRAM_MONTHS = 'वैशाख जेठ असार साउन भदौ असोज कात्तिक मंसिर पुस माघ फागुन चैत'.split(' ')
const BIKRAM_YEARS = { from: 2060, to: 2120 } as const

const NEPALI: Language = defineLanguage({
  locale: 'ne',
  symbols: {
    minus: 'माइनस',
    plus: 'प्लस',
    to: 'देखि',
    and: 'र',
    at: 'एट',
    dot: 'डट',
    slash: 'स्ल्यास',
    dash: 'ड्यास',
    underscore: 'अन्डरस्कोर',
    colon: 'कोलोन',
    equals: 'बराबर',
    question: 'प्रश्न चिह्न',
    hash: 'ह्यास',
    percent: 'प्रतिशत',
    tilde: 'टिल्ड',
    by: 'बाई',
    power: 'को घात {0}',
  },
  dateOrder: 'ymd',
  number,
  date({ year, month, day }) {
    const isBikram = year !== undefined && year >= BIKRAM_YEARS.from && year <= BIKRAM_YEARS.to
    const name = isBikram ? (BIKRAM_MONTHS[(month ?? 0) - 1] ?? '') : monthName('ne', month)
    return [year === undefined ? '' : inHundreds(year, 'सय'), name, day].filter(Boolean).join(' ')
  },
  time({ hour, minute, second, half }) {
    const part = half === undefined ? '' : `${NEPALI_PERIODS[periodOf(hour, half)]} `
    const seconds = second === undefined ? '' : ` ${second} सेकेन्ड`
    return `${part}${hour} ${minute === 0 ? 'बजे' : `बजेर ${minute} मिनेट`}${seconds}`
  },
  currencies: {
    NPR: { other: '{0} रुपैयाँ' },
    INR: { other: '{0} भारतीय रुपैयाँ' },
    USD: { other: '{0} डलर' },
    GBP: { other: '{0} पाउन्ड' },
    JPY: { other: '{0} येन' },
    KRW: { other: '{0} वन' },
    TRY: { other: '{0} लिरा' },
  },
  hundredths: { join: ' ' },
  cents: {
    NPR: { other: '{0} पैसा' },
    INR: { other: '{0} पैसा' },
    USD: { other: '{0} सेन्ट' },
    EUR: { other: '{0} सेन्ट' },
  },
  abbreviations: {
    'डा.': 'डाक्टर',
    'प्रा.': 'प्राध्यापक',
    'प्रा. लि.': 'प्राइभेट लिमिटेड',
    'प्रा.लि.': 'प्राइभेट लिमिटेड',
    'लि.': 'लिमिटेड',
    '# ई.': 'ईस्वी',
    'ई. अ': 'इन्जिनियर अ',
    'ई. #': 'ईस्वी #',
    'कि. मी.': 'किलोमिटर',
    'कि. मि.': 'किलोमिटर',
    'कि. ग्रा.': 'किलोग्राम',
    'ई.सं.': 'ईस्वी संवत्',
    'ई. सं.': 'ईस्वी संवत्',
    'ई.पू.': 'ईसा पूर्व',
    'ई. पू.': 'ईसा पूर्व',
    'वि.सं.': 'विक्रम संवत्',
    'बि.सं.': 'विक्रम संवत्',
    'वि. सं.': 'विक्रम संवत्',
    'कि.मि.': 'किलोमिटर',
    'कि.ग्रा.': 'किलोग्राम',
    'नं. #': 'नम्बर #',
    'Dr.': 'डाक्टर',
  },
  rupee: 'NPR',
  counters: [
    yearCounter({
      hundred: 'सय',
      before: 'सन्?|साल|वर्ष|संवत्',
      after: ' ?(?:मा|देखि|को|का|की|सम्म)',
    }),
    halfCounter({
      words: { 0: 'आधा', 1: 'डेढ', 2: 'अढाई', more: 'साढे' },
      nouns: 'लाख|करोड|अर्ब|हजार|किलो|घण्टा|वर्ष|महिना|रुपैयाँ',
    }),
  ],
  fraction: (over, under) => `${over} बटा ${under}`,
  fractions: { '½': 'आधा', '¼': 'एक चौथाइ', '¾': 'तीन चौथाइ', '⅓': 'एक तिहाइ', '⅔': 'दुई तिहाइ' },
  scales: { हजार: 'हजार', लाख: 'लाख', करोड: 'करोड', अर्ब: 'अर्ब' },
  postpositions: 'सम्म|को|का|की|मा|ले|लाई|भन्दा|बाट|देखि|जति|मात्र',
  clockWords: { after: 'बजे' },
  addressWords: {
    com: 'कम',
    org: 'अर्ग',
    net: 'नेट',
    gmail: 'जीमेल',
    hotmail: 'हटमेल',
    outlook: 'आउटलुक',
    yahoo: 'याहू',
    google: 'गुगल',
  },
  spell: speller(NEPALI_LETTERS),
  // eSpeak NG reads ASCII digits in English here, and 100000 as a million. Digits of Devanagari are right, by lakh and crore.
  finish: (text) => text.replace(/(?<![A-Za-z\d])\d+(?![A-Za-z])/g, (digits) => withDigitsOf('०', digits)),
})

export const INDIC: Readonly<Record<string, Language>> = { 'hi-IN': HINDI, 'ne-NP': NEPALI }
