import { type AamvaFields, parseAamva } from '../barcode/parse-aamva.ts'
import { readBarcodesOf } from '../barcode/read-barcode.ts'
import type { GreyImage } from '../image/open-image.ts'
import { mrzOf } from '../mrz/check-mrz.ts'
import type { Mrz } from '../mrz/parse-mrz.ts'
import { readMrzOfGrey } from '../mrz/read-mrz.ts'
import type { PageBarcode, TextBlock } from './layout.ts'
import { shrinkPage } from './straighten.ts'

/** Side of the picture in which barcodes are searched. */
const BARCODE_SIDE = 2000
const MRZ_SIDE = 2400
/**
 * Matches a line that may belong to a machine-readable zone, whose shortest has 30 characters. Tesseract splits it, and
 * reads `<` as other capital letters. Searching a page for a zone takes as long as reading it, so others are not searched.
 */
const ZONE_LINE = /^[\p{Lu}0-9<«‹>({[\])}]{28,50}$/u

/** Returns whether a page may have a machine-readable zone. */
export function mayHaveZone(blocks: readonly TextBlock[]): boolean {
  return blocks.some(({ lines }) =>
    lines.some(({ text, words }) => {
      const joined = text.replaceAll(' ', '')
      // Words of ordinary text are shorter, even if they are in capitals.
      return ZONE_LINE.test(joined) && (joined.includes('<') || joined.length / words.length > 9)
    }),
  )
}

/** Finds the barcodes of a page, whose boxes are in the pixels of `page`. */
export async function findBarcodes(page: GreyImage): Promise<PageBarcode[]> {
  const picture = await shrinkPage(page, BARCODE_SIDE)
  const scale = page.width / picture.width
  return (await readBarcodesOf(picture)).map(({ box, ...found }) => ({
    ...found,
    box: {
      x: Math.round(box.x * scale),
      y: Math.round(box.y * scale),
      width: Math.round(box.width * scale),
      height: Math.round(box.height * scale),
    },
  }))
}

/** Reads the fields of the machine-readable zone, or else of a licence's barcode. Returns none if there is neither. */
export async function readFields(
  page: GreyImage,
  { blocks, barcodes }: { blocks: readonly TextBlock[]; barcodes: readonly PageBarcode[] },
): Promise<Record<string, string>> {
  const mrz = mayHaveZone(blocks) ? mrzOf(readMrzOfGrey(await shrinkPage(page, MRZ_SIDE))) : null
  if (mrz !== null) return fieldsOf({ ...mrz, country: mrz.issuingCountry })
  const licence = barcodes.map(({ text }) => parseAamva(text)).find((fields) => fields !== null)
  return licence === undefined ? {} : fieldsOf(licence)
}

function fieldsOf(read: AamvaFields & Partial<Mrz>): Record<string, string> {
  const fields = {
    document_type: read.documentType,
    document_number: read.documentNumber,
    surname: read.surname,
    given_names: read.givenNames,
    date_of_birth: read.dateOfBirth,
    expiry_date: read.expiryDate,
    nationality: read.nationality,
    issuing_country: read.country,
    sex: read.sex,
    mrz: read.lines?.join('\n'),
  }
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
