/**
 * Draws specimens of documents of Utopia (UTO, the state of ICAO's own examples), with no real person or document. Needs the
 * font OCR-B (Debian: fonts-ocr-b). Do not import it with code that checks images, which blocks SVG in its process.
 */
import sharp from 'sharp'
import { checkDigit } from '../src/mrz/check-digit.ts'
import { ANNA as FACE, drawHead } from './draw-face.ts'

export interface Person {
  surname: string
  givenNames: string
  documentNumber: string
  /** YYMMDD. */
  birth: string
  expiry: string
  sex: 'F' | 'M'
}

export const ANNA: Person = {
  surname: 'ERIKSSON',
  givenNames: 'ANNA MARIA',
  documentNumber: 'L898902C3',
  birth: '740812',
  expiry: '320415',
  sex: 'F',
}

const fill = (text: string, length: number) =>
  (text.replaceAll(' ', '<') + '<'.repeat(length)).slice(0, length)
const withDigit = (text: string) => text + checkDigit(text)

/** ICAO Doc 9303, part 4. */
export function passportLines(person: Person): string[] {
  const number = withDigit(fill(person.documentNumber, 9))
  const birth = withDigit(person.birth)
  const expiry = withDigit(person.expiry)
  const personal = withDigit(fill('', 14))
  const names = fill(`P<UTO${person.surname}<<${person.givenNames}`, 44)
  return [
    names,
    `${number}UTO${birth}${person.sex}${expiry}${personal}${checkDigit(number + birth + expiry + personal)}`,
  ]
}

/** ICAO Doc 9303, part 5. */
export function cardLines(person: Person): string[] {
  const first = fill(`I<UTO${withDigit(fill(person.documentNumber, 9))}`, 30)
  const birth = withDigit(person.birth)
  const expiry = withDigit(person.expiry)
  const optional = fill('', 11)
  const composite = checkDigit(first.slice(5) + birth + expiry + optional)
  return [
    first,
    `${birth}${person.sex}${expiry}UTO${optional}${composite}`,
    fill(`${person.surname}<<${person.givenNames}`, 30),
  ]
}

/** ICAO Doc 9303, part 6. */
export function td2Lines(person: Person): string[] {
  const number = withDigit(fill(person.documentNumber, 9))
  const birth = withDigit(person.birth)
  const expiry = withDigit(person.expiry)
  const optional = fill('', 7)
  return [
    fill(`I<UTO${person.surname}<<${person.givenNames}`, 36),
    `${number}UTO${birth}${person.sex}${expiry}${optional}${checkDigit(number + birth + expiry + optional)}`,
  ]
}

/** ICAO Doc 9303, part 7: 44 characters for format A, 36 for format B, and no check digit for all of it. */
export function visaLines(person: Person, length: 36 | 44): string[] {
  const number = withDigit(fill(person.documentNumber, 9))
  return [
    fill(`V<UTO${person.surname}<<${person.givenNames}`, length),
    fill(`${number}UTO${withDigit(person.birth)}${person.sex}${withDigit(person.expiry)}`, length),
  ]
}

/** Year and month of issue, department and number. */
const FRENCH_NUMBER = '880692310285'

/** The French identity card of 1988 to 2021. */
export function frenchLines(person: Person): string[] {
  const first = fill(`IDFRA${person.surname}`, 30) + FRENCH_NUMBER.slice(4, 7) + '011'
  const given = fill(person.givenNames.replaceAll(' ', '<<'), 14)
  const second = `${withDigit(FRENCH_NUMBER)}${given}${withDigit(person.birth)}${person.sex}`
  return [first, second + checkDigit(first + second)]
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const printedDate = (text: string, century: number) =>
  `${text.slice(4)} ${MONTHS[Number(text.slice(2, 4)) - 1]} ${century}${text.slice(0, 2)}`

/** Draws the fine lines of security print. */
function guilloche(width: number, height: number): string {
  return Array.from({ length: 40 }, (_, row) => {
    const y = (row * height) / 40
    return `<path d="M0 ${y} Q ${width / 4} ${y + 30 * Math.sin(row)} ${width / 2} ${y} T ${width} ${y}" stroke="#9bb7d4" fill="none" opacity="0.6"/>`
  }).join('')
}

type Place = Parameters<typeof drawHead>[1]
/** Puts a drawing or, by its address, a picture into a place. */
function portrait(place: Place, picture?: string): string {
  if (picture === undefined) return drawHead(FACE, place)
  const { x, y, width, height } = place
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" href="${picture}"/>`
}

const draw = (svg: string): Promise<Buffer> => sharp(Buffer.from(svg)).png().toBuffer()
const mrzText = (lines: readonly string[], x: number, y: number, step: number, size: number) =>
  lines
    .map(
      (line, row) =>
        `<text x="${x}" y="${y + row * step}" font-family="OCR B" font-size="${size}">${escape(line)}</text>`,
    )
    .join('')

/**
 * Draws the data page of a passport, 1250 by 880 pixels.
 *
 * @param picture a portrait of 340 by 440 as a data URL, instead of the drawn one
 */
export function drawPassport(person: Person, picture?: string): Promise<Buffer> {
  const [width, height] = [1250, 880]
  const field = (x: number, y: number, label: string, value: string) =>
    `<text x="${x}" y="${y}" font-size="17" fill="#456">${label}</text><text x="${x}" y="${y + 30}" font-size="28" font-weight="bold" fill="#111">${escape(value)}</text>`
  return draw(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Liberation Sans, DejaVu Sans, sans-serif">
    <rect width="${width}" height="${height}" fill="#eef3ea"/>${guilloche(width, height)}
    <text x="40" y="60" font-size="34" font-weight="bold" fill="#234">UTOPIA   PASSPORT</text>
    ${portrait({ x: 40, y: 120, width: 340, height: 440 }, picture)}
    ${field(420, 130, 'Type', 'P')}${field(560, 130, 'Code', 'UTO')}${field(760, 130, 'Passport No.', person.documentNumber)}
    ${field(420, 210, 'Surname', person.surname)}${field(420, 290, 'Given names', person.givenNames)}
    ${field(420, 370, 'Nationality', 'UTOPIAN')}${field(420, 450, 'Date of birth', printedDate(person.birth, 19))}
    ${field(760, 450, 'Sex', person.sex)}${field(760, 530, 'Date of expiry', printedDate(person.expiry, 20))}
    <text x="640" y="665" font-size="20" fill="#a33">SPECIMEN - NOT A REAL DOCUMENT</text>
    <rect y="690" width="${width}" height="190" fill="#f8f8f4"/>
    ${mrzText(passportLines(person), 66, 768, 63.5, 35.13)}
  </svg>`)
}

/** Draws the front of an identity card, 1012 by 638 pixels. */
export function drawCardFront(person: Person): Promise<Buffer> {
  const [width, height] = [1012, 638]
  const row = (y: number, label: string, value: string) =>
    `<text x="360" y="${y}" font-size="17" fill="#456">${label}</text><text x="360" y="${y + 30}" font-size="28" font-weight="bold" fill="#111">${escape(value)}</text>`
  return draw(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Liberation Sans, DejaVu Sans, sans-serif">
    <rect width="${width}" height="${height}" fill="#e8eef6"/>${guilloche(width, height)}
    <text x="40" y="60" font-size="30" font-weight="bold" fill="#234">UTOPIA   IDENTITY CARD</text>
    ${portrait({ x: 40, y: 110, width: 280, height: 362 })}
    ${row(130, 'Surname', person.surname)}${row(210, 'Given names', person.givenNames)}${row(290, 'Card No.', person.documentNumber)}
    ${row(370, 'Date of birth', printedDate(person.birth, 19))}${row(450, 'Date of expiry', printedDate(person.expiry, 20))}
    <text x="400" y="600" font-size="20" fill="#a33">SPECIMEN - NOT A REAL DOCUMENT</text>
  </svg>`)
}

/** Draws the back of an identity card with its machine-readable zone. */
export function drawCardBack(person: Person): Promise<Buffer> {
  const [width, height] = [1012, 638]
  return draw(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Liberation Sans, DejaVu Sans, sans-serif">
    <rect width="${width}" height="${height}" fill="#e8eef6"/>${guilloche(width, height)}
    <text x="40" y="60" font-size="26" fill="#234">IDENTITY CARD - UTOPIA - SPECIMEN</text>
    <text x="40" y="120" font-size="17" fill="#456">Address</text><text x="40" y="150" font-size="24">12 HARBOUR LANE, ZENITH CITY</text>
    ${mrzText(cardLines(person), 56, 430, 75, 41.5)}
  </svg>`)
}

/** Draws the front of an official document of format TD2, 1050 by 740 pixels. */
export const drawTd2 = (person: Person): Promise<Buffer> =>
  drawSmall(person, { title: 'OFFICIAL DOCUMENT', lines: td2Lines(person), width: 1050 })

/** Draws a visa of format A (44 characters, 1250 by 740 pixels) or B (36 characters, 1050 by 740 pixels). */
export const drawVisa = (person: Person, length: 36 | 44): Promise<Buffer> =>
  drawSmall(person, { title: 'VISA', lines: visaLines(person, length), width: length === 44 ? 1250 : 1050 })

function drawSmall(
  person: Person,
  { title, lines, width }: { title: string; lines: readonly string[]; width: number },
): Promise<Buffer> {
  const height = 740
  const field = (x: number, y: number, label: string, value: string) =>
    `<text x="${x}" y="${y}" font-size="17" fill="#456">${label}</text><text x="${x}" y="${y + 30}" font-size="28" font-weight="bold" fill="#111">${escape(value)}</text>`
  return draw(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Liberation Sans, DejaVu Sans, sans-serif">
    <rect width="${width}" height="${height}" fill="#f2ecdf"/>${guilloche(width, height)}
    <text x="40" y="60" font-size="34" font-weight="bold" fill="#234">UTOPIA   ${title}</text>
    ${portrait({ x: 40, y: 100, width: 270, height: 349 })}
    ${field(350, 130, 'Surname', person.surname)}${field(350, 210, 'Given names', person.givenNames)}
    ${field(350, 290, 'Number', person.documentNumber)}${field(680, 290, 'Sex', person.sex)}
    ${field(350, 370, 'Date of birth', printedDate(person.birth, 19))}${field(680, 370, 'Valid until', printedDate(person.expiry, 20))}
    <text x="350" y="490" font-size="20" fill="#a33">SPECIMEN - NOT A REAL DOCUMENT</text>
    ${mrzText(lines, 66, 628, 63.5, 35.13)}
  </svg>`)
}
