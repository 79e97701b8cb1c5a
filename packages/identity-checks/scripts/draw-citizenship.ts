/**
 * Draws both sides of a Nepali citizenship card of people who do not exist, after the layout of printed cards: Nepali with a date of Bikram
 * Sambat on the front, English with a Gregorian date on the back. Fonts: Noto Sans Devanagari of `@expo-google-fonts`, and DejaVu Sans.
 */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { parseDate } from '../src/templates/parse-date.ts'

/** The data of somebody, in Nepali and in English. */
export interface Citizen {
  readonly number: string
  readonly nepaliName: string
  readonly englishName: string
  readonly sex: 'F' | 'M'
  /** Year, month and day of Bikram Sambat. */
  readonly birth: readonly [number, number, number]
  /** YYYY-MM-DD. */
  readonly gregorianBirth: string
}

const folder = await mkdtemp(path.join(tmpdir(), 'vaani-fonts-'))
const fonts = path.dirname(
  createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans-devanagari/package.json'),
)
process.env['FONTCONFIG_FILE'] = path.join(folder, 'fonts.conf')
await writeFile(
  process.env['FONTCONFIG_FILE'],
  `<fontconfig><dir>/usr/share/fonts</dir><dir>${fonts}</dir><cachedir>${folder}/cache</cachedir></fontconfig>`,
)

const [WIDTH, HEIGHT] = [1250, 880]
const nepaliDigits = (text: string | number) =>
  String(text).replaceAll(/\d/g, (digit) => String.fromCodePoint(0x966 + Number(digit)))
const two = (value: number) => String(value).padStart(2, '0')
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

const ground = (colour: string) =>
  `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colour}"/>` +
  Array.from({ length: 30 }, (_, row) => {
    const y = (row * HEIGHT) / 30
    return `<path d="M0 ${y} Q ${WIDTH / 4} ${y + 24 * Math.sin(row)} ${WIDTH / 2} ${y} T ${WIDTH} ${y}" stroke="#d8b8b8" fill="none" opacity="0.5"/>`
  }).join('')
const text = (x: number, y: number, content: string, { size = 30, colour = '#111', anchor = 'start' } = {}) =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${colour}" text-anchor="${anchor}">${content}</text>`
const draw = (content: string, family: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="${family}">${content}</svg>`,
    ),
  )
    .png()
    .toBuffer()
const centred = { anchor: 'middle', colour: '#722' }

/** Draws the front. */
export function drawCitizenshipFront(person: Citizen): Promise<Buffer> {
  const [year, month, day] = person.birth
  return draw(
    `${ground('#f6ecec')}
    ${text(625, 60, 'नेपाल सरकार', { ...centred, size: 34 })}
    ${text(625, 105, 'गृह मन्त्रालय', { ...centred, size: 28 })}
    ${text(625, 148, 'जिल्ला प्रशासन कार्यालय, नमूना', { ...centred, size: 28 })}
    ${text(625, 205, 'नेपाली नागरिकताको प्रमाणपत्र', { ...centred, size: 42 })}
    ${text(60, 290, `ना.प्र.नं. : ${nepaliDigits(person.number)}`)}${text(860, 290, `लिङ्ग : ${person.sex === 'F' ? 'महिला' : 'पुरुष'}`)}
    ${text(60, 350, `नाम थर : ${person.nepaliName}`)}
    ${text(60, 410, 'जन्म स्थान : जिल्ला : नमूना')}${text(700, 410, 'न.पा. : उदाहरण')}${text(1010, 410, 'वडा नं. : ४')}
    ${text(60, 470, 'स्थायी बासस्थान : जिल्ला : नमूना')}${text(700, 470, 'न.पा. : उदाहरण')}${text(1010, 470, 'वडा नं. : ४')}
    ${text(60, 530, `जन्म मिति : साल : ${nepaliDigits(year)} महिना : ${nepaliDigits(two(month))} गते : ${nepaliDigits(two(day))}`)}
    ${text(60, 590, 'बाबुको नाम थर : हरि गुरुङ')}${text(700, 590, 'नागरिकता किसिम : वंशज')}
    ${text(60, 650, 'आमाको नाम थर : माया राई')}
    <rect x="60" y="690" width="150" height="170" fill="#ccd3dd"/><ellipse cx="135" cy="765" rx="42" ry="54" fill="#a9856c"/>
    ${text(700, 830, 'नमूना - वास्तविक कागजात होइन', { size: 26, colour: '#a33' })}`,
    'Noto Sans Devanagari',
  )
}

/** Draws the back. */
export function drawCitizenshipBack(person: Citizen): Promise<Buffer> {
  const [year = '', month = '', day = ''] = person.gregorianBirth.split('-')
  return draw(
    `${ground('#ecf2f6')}
    ${text(625, 60, 'Government of Nepal', { ...centred, size: 34 })}
    ${text(625, 105, 'Ministry of Home Affairs', { ...centred, size: 28 })}
    ${text(625, 165, 'Citizenship Certificate', { ...centred, size: 40 })}
    ${text(60, 260, `Citizenship Certificate No. : ${person.number}`)}${text(900, 260, `Sex : ${person.sex === 'F' ? 'Female' : 'Male'}`)}
    ${text(60, 330, `Full Name : ${person.englishName}`)}
    ${text(60, 400, `Date of Birth (AD) : Year : ${year} Month : ${MONTHS[Number(month) - 1]} Day : ${day}`)}
    ${text(60, 470, 'Birth Place : District : Example')}${text(700, 470, 'Municipality : Sample')}${text(1040, 470, 'Ward No. : 4')}
    ${text(60, 540, 'Permanent Address : District : Example')}${text(700, 540, 'Municipality : Sample')}${text(1040, 540, 'Ward No. : 4')}
    ${text(60, 640, 'Citizenship Type : By Descent')}
    ${text(700, 830, 'SPECIMEN - NOT A REAL DOCUMENT', { size: 24, colour: '#a33' })}`,
    'DejaVu Sans',
  )
}

export const SITA: Citizen = {
  number: '27-01-70-01234',
  nepaliName: 'सीता गुरुङ',
  englishName: 'SITA GURUNG',
  sex: 'F',
  birth: [2045, 5, 12],
  gregorianBirth: '1988-08-28',
}

const FAMILIES: readonly (readonly [string, string])[] = [
  ['गुरुङ', 'GURUNG'],
  ['श्रेष्ठ', 'SHRESTHA'],
  ['तामाङ', 'TAMANG'],
  ['राई', 'RAI'],
  ['थापा', 'THAPA'],
  ['पौडेल', 'POUDEL'],
  ['महर्जन', 'MAHARJAN'],
  ['यादव', 'YADAV'],
  ['क्षेत्री', 'CHHETRI'],
  ['शर्मा', 'SHARMA'],
  ['विश्वकर्मा', 'BISHWAKARMA'],
  ['लिम्बू', 'LIMBU'],
  ['भट्टराई', 'BHATTARAI'],
  ['न्यौपाने', 'NEUPANE'],
  ['चौधरी', 'CHAUDHARY'],
  ['मगर', 'MAGAR'],
  ['ढुङ्गाना', 'DHUNGANA'],
  ['खड्का', 'KHADKA'],
  ['बज्राचार्य', 'BAJRACHARYA'],
  ['अन्सारी', 'ANSARI'],
]
const GIVEN: readonly (readonly [string, string])[] = [
  ['सीता', 'SITA'],
  ['राम बहादुर', 'RAM BAHADUR'],
  ['कृष्ण', 'KRISHNA'],
  ['लक्ष्मी', 'LAXMI'],
  ['विष्णु प्रसाद', 'BISHNU PRASAD'],
  ['प्रमिला', 'PRAMILA'],
  ['दीपक', 'DIPAK'],
  ['अञ्जली', 'ANJALI'],
  ['ज्ञानेन्द्र', 'GYANENDRA'],
  ['सुनिता', 'SUNITA'],
  ['हिरा देवी', 'HIRA DEVI'],
  ['निरज', 'NIRAJ'],
  ['ईश्वरी', 'ISHWORI'],
  ['ऋतु', 'RITU'],
  ['फूलमाया', 'PHULMAYA'],
  ['छिरिङ दोर्जे', 'CHHIRING DORJE'],
  ['शुभेच्छा', 'SHUBHECHCHHA'],
  ['पुष्प राज', 'PUSHPA RAJ'],
  ['औंशु', 'AUNSHU'],
  ['यज्ञ', 'YAGYA'],
]

/** Makes up a person. */
export function randomCitizen(random: () => number): Citizen {
  const upTo = (count: number) => Math.floor(random() * count)
  const [given = ['', ''], family = ['', '']] = [GIVEN[upTo(GIVEN.length)], FAMILIES[upTo(FAMILIES.length)]]
  const birth = [2005 + upTo(60), 1 + upTo(12), 1 + upTo(29)] as const
  const digits = (count: number) => Array.from({ length: count }, () => upTo(10)).join('')
  const gregorianBirth = parseDate(birth.map(String), { calendar: 'bikram_sambat', order: 'ymd' })
  if (gregorianBirth === null) throw new Error('All months of Bikram Sambat have 29 days')
  return {
    number: `${digits(2)}-${digits(2)}-${digits(2)}-${digits(5)}`,
    nepaliName: `${given[0]} ${family[0]}`,
    englishName: `${given[1]} ${family[1]}`,
    sex: random() < 0.5 ? 'F' : 'M',
    birth,
    gregorianBirth,
  }
}
