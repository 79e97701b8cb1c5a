import { type CheckResult, notRun } from '../check.ts'
import type { OpenedImage } from '../image/open-image.ts'
import { toPlace, toPlaced } from '../image/place.ts'
import type { Mrz } from '../mrz/parse-mrz.ts'
import { type AamvaFields, parseAamva } from './parse-aamva.ts'
import { readBarcode } from './read-barcode.ts'

const MODEL = 'pdf417/1'

/** Reads the barcode of a licence, and compares it with the machine-readable zone if there is one. */
export async function checkBarcode(
  images: readonly OpenedImage[],
  mrz: Mrz | null,
): Promise<{ result: CheckResult; read: AamvaFields | null }> {
  // Try the back first, because licences have the barcode there.
  const pictures = toPlaced(images)
  for (const [side, image] of [...images.entries()].toReversed()) {
    const found = await readBarcode(image)
    if (found === null) continue
    const read = parseAamva(found.text)
    const picture = pictures[side]
    const code = codeOf(read, mrz)
    const isAlike = code === 'barcode_read'
    const result: CheckResult = {
      check: 'barcode',
      outcome: isAlike ? 'passed' : 'warning',
      code,
      score: isAlike ? 1 : 0.3,
      evidence: { compared: mrz !== null },
      places: picture === undefined ? [] : [toPlace(picture, 'barcode', found.corners)],
      model: MODEL,
    }
    return { result, read }
  }
  return { result: { ...notRun('barcode', 'no_barcode'), model: MODEL }, read: null }
}

function codeOf(read: AamvaFields | null, mrz: Mrz | null) {
  if (read === null) return 'barcode_of_another_kind'
  if (mrz !== null && read.documentNumber !== mrz.documentNumber) return 'barcode_mismatch'
  // Without a zone, the barcode is what a decision is made on.
  const needed = [read.documentNumber, read.surname ?? read.givenNames, read.dateOfBirth]
  return mrz === null && needed.includes(null) ? 'barcode_incomplete' : 'barcode_read'
}
