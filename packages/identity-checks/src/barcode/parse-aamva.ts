/** Fields in the barcode of a North American licence. Null if the element is missing. */
export interface AamvaFields {
  readonly documentNumber: string | null
  readonly surname: string | null
  readonly givenNames: string | null
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string | null
  readonly expiryDate: string | null
  readonly country: string | null
}

/**
 * The header: `@`, separators, the file type (`AAMVA` in the standard of 2000), the issuer, the version and, from version 2 on, that
 * of the issuer; then the number of subfiles, and the type, offset and length of each.
 */
const HEADER = /^@[^A-Z]{0,8}(?:ANSI |AAMVA)(\d{6})(\d{2})/
const DESIGNATOR = /(DL|ID|EN|Z[A-Z])(\d{4})(\d{4})/y
const SEPARATORS = /[\n\r]+/

/**
 * Parses the text of a PDF417 barcode per the AAMVA DL/ID Card Design Standard, versions 1 (2000) to 10 (2020, annex D). Returns
 * null if it is not such a text.
 */
export function parseAamva(text: string): AamvaFields | null {
  const header = HEADER.exec(text)
  if (header === null) return null
  const elements = new Map(readElements(text, header))
  const read = (...names: string[]) => {
    const value = names.map((name) => elements.get(name)).find((one) => one !== undefined && one !== '')
    return value === undefined || /^(?:NONE|UNAVL)$/i.test(value) ? null : value
  }
  // Versions 2 and 3 have the given names in one element, and version 1 may have all names in one.
  const [whole = null, ...others] =
    read('DAA')
      ?.split(/[,@$]/)
      .map((part) => part.trim()) ?? []
  const given = [read('DAC'), read('DAD')].filter((one) => one !== null)
  const givenNames = given.length > 0 ? given.join(' ') : (read('DCT') ?? others.slice(0, 2).join(' '))
  return {
    documentNumber: read('DAQ'),
    surname: read('DCS', 'DAB') ?? whole,
    givenNames: givenNames.replaceAll(/[\s,]+/g, ' ').trim() || null,
    dateOfBirth: toDate(read('DBB')),
    expiryDate: toDate(read('DBA')),
    country: read('DCG') ?? countryOf(read('DAJ')),
  }
}

/** Returns the elements of the subfile of the licence or the identity card, the first of each name. */
function readElements(text: string, [header = '', , version]: RegExpExecArray): [string, string][] {
  // Version 1 has no version of the issuer.
  DESIGNATOR.lastIndex = header.length + (Number(version) >= 2 ? 4 : 2)
  const subfiles: { type: string; offset: number }[] = []
  let end = DESIGNATOR.lastIndex
  for (let found = DESIGNATOR.exec(text); found !== null; found = DESIGNATOR.exec(text)) {
    const [, type = '', offset = ''] = found
    subfiles.push({ type, offset: Number(offset) })
    end = DESIGNATOR.lastIndex
  }
  const start = startOf(text, subfiles, end)
  return text
    .slice(start)
    .replaceAll('\u001E', '\n')
    .split(SEPARATORS)
    .filter((line) => /^D[A-Z]{2}/.test(line))
    .map((line): [string, string] => [line.slice(0, 3), line.slice(3).trim()])
    .toReversed()
}

/** Returns where the first element begins. Some issuers count offsets wrongly; their subfile is the first after the header. */
function startOf(text: string, subfiles: readonly { type: string; offset: number }[], end: number): number {
  const subfile = subfiles.find(({ type }) => type === 'DL' || type === 'ID')
  const type = subfile?.type ?? 'DL'
  if (subfile !== undefined && text.startsWith(`${type}D`, subfile.offset))
    return subfile.offset + type.length
  const at = text.slice(end).search(/(?:DL|ID)(?=D[A-Z]{2})/)
  return at < 0 ? end : end + at + 2
}

const PROVINCES = new Set(['AB', 'BC', 'MB', 'NB', 'NL', 'NS', 'NT', 'NU', 'ON', 'PE', 'QC', 'SK', 'YT'])

/** Version 1 has the state only. */
const countryOf = (state: string | null): string | null =>
  state === null ? null : PROVINCES.has(state) ? 'CAN' : 'USA'

/** MMDDCCYY in the United States, CCYYMMDD in Canada and in version 1. No month is a century, so only one of them is a date. */
function toDate(text: string | null): string | null {
  if (text === null || !/^\d{8}$/.test(text)) return null
  const isYearFirst = Number(text.slice(0, 2)) > 12
  const iso = isYearFirst
    ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
    : `${text.slice(4)}-${text.slice(0, 2)}-${text.slice(2, 4)}`
  const date = new Date(`${iso}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? null : iso
}
