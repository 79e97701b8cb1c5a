import { checkDigit } from './check-digit.ts'

/** Cards (TD1, TD2), passports (TD3), visas of format A and B (MRV-A, MRV-B), and the French identity card of 1988 to 2021. */
export type MrzFormat = 'TD1' | 'TD2' | 'TD3' | 'MRV-A' | 'MRV-B' | 'FRA-ID'

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
  /**
   * YYYY-MM-DD. The century is the latest in which a birth is neither after today nor after the expiry, and an expiry at most 50
   * years ahead. Null also if the zone says that the day or the month of the birth is not known.
   */
  readonly dateOfBirth: string | null
  readonly expiryDate: string | null
  /** Whether the zone says that the document does not expire. */
  readonly neverExpires: boolean
  readonly sex: 'F' | 'M' | 'X' | null
}

interface Layout {
  readonly lines: number
  readonly length: number
  /** Line, start, end of each field. */
  readonly fields: Readonly<Record<Field, Part>>
  /** Where a document number of more than nine characters goes on. */
  readonly more?: Part
  /** Where the given names are, if they do not follow the surname. */
  readonly given?: Part
  readonly checks: readonly Check[]
}
interface Check {
  readonly name: string
  readonly parts: readonly Part[]
  readonly digit: readonly [line: number, place: number]
}
type Part = readonly [line: number, from: number, to: number]
type Field = 'type' | 'country' | 'names' | 'number' | 'nationality' | 'birth' | 'sex' | 'expiry'

/** The layout of all documents with two lines, which differ only in what follows the date of expiry. */
function twoLines(length: number, checks: readonly Check[], more?: Part): Layout {
  return {
    lines: 2,
    length,
    ...(more && { more }),
    fields: {
      type: [0, 0, 2],
      country: [0, 2, 5],
      names: [0, 5, length],
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
      ...checks,
    ],
  }
}
const compositeOfTwo = (length: number): Check => ({
  name: 'composite',
  parts: [
    [1, 0, 10],
    [1, 13, 20],
    [1, 21, length - 1],
  ],
  digit: [1, length - 1],
})

/**
 * ICAO Doc 9303, part 4 (TD3, 4.2.2), part 5 (TD1, 4.2.2), part 6 (TD2, 4.2.2) and part 7 (visas, 4.2 and 5.2). The French card of 1988
 * is older: https://fr.wikipedia.org/wiki/Carte_nationale_d%27identit%C3%A9_en_France. It has no date of expiry in its zone.
 */
const LAYOUTS: Readonly<Record<MrzFormat, Layout>> = {
  TD3: twoLines(44, [{ name: 'personal_number', parts: [[1, 28, 42]], digit: [1, 42] }, compositeOfTwo(44)]),
  TD2: twoLines(36, [compositeOfTwo(36)], [1, 28, 35]),
  // No check digit covers all of a visa.
  'MRV-A': twoLines(44, []),
  'MRV-B': twoLines(36, []),
  'FRA-ID': {
    lines: 2,
    length: 36,
    given: [1, 13, 27],
    fields: {
      type: [0, 0, 2],
      country: [0, 2, 5],
      names: [0, 5, 30],
      number: [1, 0, 12],
      // Only citizens have one.
      nationality: [0, 2, 5],
      birth: [1, 27, 33],
      sex: [1, 34, 35],
      expiry: [1, 0, 0],
    },
    checks: [
      { name: 'document_number', parts: [[1, 0, 12]], digit: [1, 12] },
      { name: 'date_of_birth', parts: [[1, 27, 33]], digit: [1, 33] },
      {
        name: 'composite',
        parts: [
          [0, 0, 36],
          [1, 0, 35],
        ],
        digit: [1, 35],
      },
    ],
  },
  TD1: {
    lines: 3,
    length: 30,
    more: [0, 15, 30],
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

/** Returns the format of lines of this shape. Only visas begin with V, and only the French card of 1988 has this beginning in two lines. */
function formatOf(lines: readonly string[]): MrzFormat | null {
  const [first = ''] = lines
  if (lines.some((line) => line.length !== first.length)) return null
  const isVisa = first.startsWith('V')
  if (lines.length === 2 && first.length === 44) return isVisa ? 'MRV-A' : 'TD3'
  if (lines.length === 2 && first.length === 36)
    return first.startsWith('IDFRA') ? 'FRA-ID' : isVisa ? 'MRV-B' : 'TD2'
  return lines.length === 3 && first.length === 30 ? 'TD1' : null
}

/** Returns the fields that a check digit follows directly. */
export const checkedFields = (format: MrzFormat): readonly Part[] =>
  LAYOUTS[format].checks.flatMap(({ parts }) => (parts.length === 1 ? parts : []))

/** Returns the characters of a field as they are in the zone. */
export function cutField({ format, lines }: Pick<Mrz, 'format' | 'lines'>, field: Field): string {
  const [line, from, to] = LAYOUTS[format].fields[field]
  return (lines[line] ?? '').slice(from, to)
}

/** Returns the names of a zone as ICAO has them: the surname, two fillers, and the given names with one filler between them. */
export function cutNames(zone: Pick<Mrz, 'format' | 'lines'>): string {
  const names = cutField(zone, 'names')
  const { given } = LAYOUTS[zone.format]
  if (given === undefined) return names
  const [line, from, to] = given
  const givenNames = (zone.lines[line] ?? '').slice(from, to)
  return `${names.replace(/<+$/, '')}<<${givenNames.replaceAll(/<<(?=[A-Z])/g, '<')}`
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
  const long = readLongNumber({ format, lines })
  const wrong = layout.checks
    .filter(({ name, parts, digit: [line, at] }) => {
      const digit = lines[line]?.[at] ?? ''
      const content = parts.map(cut).join('')
      if (name === 'document_number' && long !== null) return checkDigit(long.number) !== long.digit
      // An empty optional field may have a filler as its check digit.
      const isEmpty = digit === '<' && /^<*$/.test(content)
      return !isEmpty && checkDigit(content) !== digit
    })
    .map(({ name }) => name)
  const [surname = '', givenNames = ''] = cutNames({ format, lines }).split('<<')
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
    documentNumber: long?.number ?? toText(field('number'))?.replaceAll(' ', '') ?? null,
    nationality: toText(field('nationality')),
    ...readDates(
      { birth: field('birth'), expiry: field('expiry'), neverExpires: isUnlimited({ format, lines }) },
      now,
    ),
    sex: sex === 'F' || sex === 'M' ? sex : sex === 'X' || sex === '<' ? 'X' : null,
  }
}

const toText = (text: string): string | null => text.replaceAll('<', ' ').trim() || null

/**
 * Reads a document number that is too long for its field: a filler is in place of its check digit, and its other characters and the
 * digit begin the optional data (ICAO Doc 9303, part 5, 4.2.2.1 note j, and part 6, 4.2.2.2 note j). Null if it is not too long.
 */
function readLongNumber(zone: Pick<Mrz, 'format' | 'lines'>): { number: string; digit: string } | null {
  const { more, fields } = LAYOUTS[zone.format]
  if (more === undefined) return null
  const [line, , to] = fields.number
  const start = cutField(zone, 'number')
  const rest = /^([A-Z0-9]+)(\d)(?:<|$)/.exec((zone.lines[more[0]] ?? '').slice(more[1], more[2]))
  if (start.includes('<') || zone.lines[line]?.[to] !== '<' || rest === null) return null
  const [, end = '', digit = ''] = rest
  return { number: start + end, digit }
}

/** Permanent Spanish cards print 01-01-9999. */
const SPANISH_PERMANENT = '990101'

/** Whether a card says that it does not expire. Passports and visas always do. */
function isUnlimited(zone: Pick<Mrz, 'format' | 'lines'>): boolean {
  const expiry = cutField(zone, 'expiry')
  const isCard = zone.format === 'TD1' || zone.format === 'TD2'
  return (
    isCard && (expiry === '<<<<<<' || (expiry === SPANISH_PERMANENT && cutField(zone, 'country') === 'ESP'))
  )
}

function readDates(
  { birth, expiry, neverExpires }: { birth: string; expiry: string; neverExpires: boolean },
  now: Date,
): Pick<Mrz, 'dateOfBirth' | 'expiryDate' | 'neverExpires'> {
  const latest = new Date(now)
  latest.setUTCFullYear(now.getUTCFullYear() + 50)
  const expiryDate = neverExpires ? null : toDate(expiry, latest)
  const isBefore = expiryDate !== null && new Date(expiryDate) < now
  const dateOfBirth = toDate(birth, isBefore ? new Date(expiryDate) : now)
  return { dateOfBirth, expiryDate, neverExpires }
}

/** Whether a zone says that the month or the day of a birth is not known, or all of it (ICAO Doc 9303, part 3, 4.8). */
export const isPartlyUnknown = (birth: string): boolean => /^(?:\d\d(?:<<|0[1-9]|1[0-2])<<|<{6})$/.test(birth)

/** Parses a date with a two-digit year, in the latest century in which it is not after `latest`. */
function toDate(text: string, latest: Date): string | null {
  const match = /^(\d\d)(\d\d)(\d\d)$/.exec(text)
  if (match === null) return null
  const [, year = '', month = '', day = ''] = match
  const century = Math.floor(latest.getUTCFullYear() / 100)
  for (const full of [century, century - 1].map((one) => one * 100 + Number(year))) {
    const date = new Date(Date.UTC(full, Number(month) - 1, Number(day)))
    if (date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) continue
    if (date <= latest) return date.toISOString().slice(0, 10)
  }
  return null
}
