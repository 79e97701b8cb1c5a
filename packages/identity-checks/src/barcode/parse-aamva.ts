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
 * Parses the text of a PDF417 barcode per the AAMVA DL/ID Card Design Standard (2020, annex D). Returns null if it is not
 * such a text.
 */
export function parseAamva(text: string): AamvaFields | null {
  if (!text.startsWith('@') || !text.includes('ANSI ')) return null
  const elements = new Map(
    text
      .replaceAll('\u001E', '\n')
      .split(/[\n\r]+/)
      // The first element of a subfile follows its type without a break, as in `DLDAQ…`.
      .map((line) => line.replace(/^.*?(?:DL|ID)(?=D[A-Z]{2})/, ''))
      .filter((line) => /^[DZ][A-Z]{2}/.test(line))
      .map((line) => [line.slice(0, 3), line.slice(3).trim()]),
  )
  const read = (name: string) => elements.get(name) || null
  const country = read('DCG')
  const given = [read('DAC'), read('DAD')].filter((one) => one !== null && one !== 'NONE')
  return {
    documentNumber: read('DAQ'),
    surname: read('DCS'),
    givenNames: given.join(' ') || null,
    dateOfBirth: toDate(read('DBB'), country),
    expiryDate: toDate(read('DBA'), country),
    country,
  }
}

/** MMDDCCYY in the United States, CCYYMMDD in Canada. */
function toDate(text: string | null, country: string | null): string | null {
  if (text === null || !/^\d{8}$/.test(text)) return null
  const iso =
    country === 'CAN'
      ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
      : `${text.slice(4)}-${text.slice(0, 2)}-${text.slice(2, 4)}`
  const date = new Date(`${iso}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? null : iso
}
