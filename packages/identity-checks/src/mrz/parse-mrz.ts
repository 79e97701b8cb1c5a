import { checkDigit } from './check-digit.ts'

export type MrzFormat = 'TD1' | 'TD2' | 'TD3'

/** Content of a document's machine-readable zone. A field is null if it is empty or invalid. */
export interface Mrz {
  readonly format: MrzFormat
  readonly lines: readonly string[]
  /** Whether every check digit is right. */
  readonly valid: boolean
  /** Names of the fields whose check digit is wrong. */
  readonly wrong: readonly string[]
  readonly documentType: string | null
  readonly issuingCountry: string | null
  readonly surname: string | null
  readonly givenNames: string | null
  readonly documentNumber: string | null
  readonly nationality: string | null
  /** YYYY-MM-DD. The century is the latest in which a birth is not after this year and an expiry at most 50 years ahead. */
  readonly dateOfBirth: string | null
  readonly expiryDate: string | null
  readonly sex: 'F' | 'M' | 'X' | null
}

interface Layout {
  readonly lines: number
  readonly length: number
  /** Line, start, end of each field. */
  readonly fields: Readonly<Record<Field, readonly [line: number, from: number, to: number]>>
  readonly checks: readonly {
    readonly name: string
    readonly parts: readonly Part[]
    readonly digit: readonly [number, number]
  }[]
}
type Part = readonly [line: number, from: number, to: number]
type Field = 'type' | 'country' | 'names' | 'number' | 'nationality' | 'birth' | 'sex' | 'expiry'

/** ICAO Doc 9303, part 4 (TD3, 4.2.2), part 5 (TD1, 4.2.2) and part 6 (TD2, 4.2.2). */
const LAYOUTS: Readonly<Record<MrzFormat, Layout>> = {
  TD3: {
    lines: 2,
    length: 44,
    fields: {
      type: [0, 0, 2],
      country: [0, 2, 5],
      names: [0, 5, 44],
      number: [1, 0, 9],
      nationality: [1, 10, 13],
      birth: [1, 13, 19],
      sex: [1, 20, 21],
      expiry: [1, 21, 27],
    },
    checks: [
      { name: 'document_number', parts: [[1, 0, 9]], digit: [1, 9] },
      { name: 'date_of_birth', parts: [[1, 13, 19]], digit: [1, 19] },
      { name: 'expiry_date', parts: [[1, 21, 27]], digit: [1, 27] },
      { name: 'personal_number', parts: [[1, 28, 42]], digit: [1, 42] },
      {
        name: 'composite',
        parts: [
          [1, 0, 10],
          [1, 13, 20],
          [1, 21, 43],
        ],
        digit: [1, 43],
      },
    ],
  },
  TD2: {
    lines: 2,
    length: 36,
    fields: {
      type: [0, 0, 2],
      country: [0, 2, 5],
      names: [0, 5, 36],
      number: [1, 0, 9],
      nationality: [1, 10, 13],
      birth: [1, 13, 19],
      sex: [1, 20, 21],
      expiry: [1, 21, 27],
    },
    checks: [
      { name: 'document_number', parts: [[1, 0, 9]], digit: [1, 9] },
      { name: 'date_of_birth', parts: [[1, 13, 19]], digit: [1, 19] },
      { name: 'expiry_date', parts: [[1, 21, 27]], digit: [1, 27] },
      {
        name: 'composite',
        parts: [
          [1, 0, 10],
          [1, 13, 20],
          [1, 21, 35],
        ],
        digit: [1, 35],
      },
    ],
  },
  TD1: {
    lines: 3,
    length: 30,
    fields: {
      type: [0, 0, 2],
      country: [0, 2, 5],
      names: [2, 0, 30],
      number: [0, 5, 14],
      nationality: [1, 15, 18],
      birth: [1, 0, 6],
      sex: [1, 7, 8],
      expiry: [1, 8, 14],
    },
    checks: [
      { name: 'document_number', parts: [[0, 5, 14]], digit: [0, 14] },
      { name: 'date_of_birth', parts: [[1, 0, 6]], digit: [1, 6] },
      { name: 'expiry_date', parts: [[1, 8, 14]], digit: [1, 14] },
      {
        name: 'composite',
        parts: [
          [0, 5, 30],
          [1, 0, 7],
          [1, 8, 15],
          [1, 18, 29],
        ],
        digit: [1, 29],
      },
    ],
  },
}

const formatOf = (lines: readonly string[]): MrzFormat | null =>
  (Object.keys(LAYOUTS) as MrzFormat[]).find((format) => {
    const layout = LAYOUTS[format]
    return lines.length === layout.lines && lines.every((line) => line.length === layout.length)
  }) ?? null

/** Returns the characters of a field as they are in the zone. */
export function cutField({ format, lines }: Pick<Mrz, 'format' | 'lines'>, field: Field): string {
  const [line, from, to] = LAYOUTS[format].fields[field]
  return (lines[line] ?? '').slice(from, to)
}

/**
 * Parses the lines of a machine-readable zone. Returns null if their number, length or alphabet is wrong. A zone with wrong
 * check digits is parsed; `valid` and `wrong` report them.
 *
 * @example
 * parseMrz(['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'])?.surname // 'ERIKSSON'
 */
export function parseMrz(lines: readonly string[], now = new Date()): Mrz | null {
  const format = formatOf(lines)
  if (format === null || !lines.every((line) => /^[A-Z0-9<]+$/.test(line))) return null
  const layout = LAYOUTS[format]
  const cut = ([line, from, to]: Part) => (lines[line] ?? '').slice(from, to)
  const field = (name: Field) => cutField({ format, lines }, name)
  const wrong = layout.checks
    .filter(({ parts, digit: [line, at] }) => {
      const digit = lines[line]?.[at] ?? ''
      const content = parts.map(cut).join('')
      // An empty optional field may have a filler as its check digit.
      const isEmpty = digit === '<' && /^<*$/.test(content)
      return !isEmpty && checkDigit(content) !== digit
    })
    .map(({ name }) => name)
  const [surname = '', givenNames = ''] = field('names').split('<<')
  const sex = field('sex')
  return {
    format,
    lines,
    valid: wrong.length === 0,
    wrong,
    documentType: toText(field('type')),
    issuingCountry: toText(field('country')),
    surname: toText(surname),
    givenNames: toText(givenNames),
    documentNumber: toText(field('number'))?.replaceAll(' ', '') ?? null,
    nationality: toText(field('nationality')),
    dateOfBirth: toDate(field('birth'), now.getUTCFullYear()),
    expiryDate: toDate(field('expiry'), now.getUTCFullYear() + 50),
    sex: sex === 'F' || sex === 'M' ? sex : sex === 'X' || sex === '<' ? 'X' : null,
  }
}

const toText = (text: string): string | null => text.replaceAll('<', ' ').trim() || null

/** Parses a date with a two-digit year, in the latest century that does not exceed `lastYear`. */
function toDate(text: string, lastYear: number): string | null {
  const match = /^(\d\d)(\d\d)(\d\d)$/.exec(text)
  if (match === null) return null
  const [, year = '', month = '', day = ''] = match
  const full = lastYear - ((lastYear - Number(year)) % 100)
  const date = new Date(Date.UTC(full, Number(month) - 1, Number(day)))
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day)
    ? date.toISOString().slice(0, 10)
    : null
}
