import { readFile } from 'node:fs/promises'
import type { CheckResult } from '../check.ts'
import { checkBarcode } from '../barcode/check-barcode.ts'
import type { AamvaFields } from '../barcode/parse-aamva.ts'
import { checkDocumentQuality } from '../image/document-quality.ts'
import { checkFaces, type Portrait } from '../faces/check-faces.ts'
import { openImage } from '../image/open-image.ts'
import { checkRecapture } from '../image/recapture.ts'
import { toRgbPicture } from '../image/rgb-picture.ts'
import { checkLiveness } from '../liveness/check-liveness.ts'
import type { Engines } from '../load-engines.ts'
import { checkExpiry, checkMrz } from '../mrz/check-mrz.ts'
import type { Mrz } from '../mrz/parse-mrz.ts'
import { checkPrintedFields } from '../ocr/check-printed-fields.ts'
import type { PageReader } from '../ocr/page-reader.ts'
import { checkMotion } from '../video/motion.ts'
import { readFrames, readPictures } from '../video/read-frames.ts'
import type { CheckFiles, ExtractedFields } from './job.ts'

/** Runs the checks of a verification, and tells each result as soon as it is there. */
export async function runChecks(options: {
  files: CheckFiles
  /** YYYY-MM-DD: what an expiry is compared with. */
  today: string
  pageReader: PageReader
  engines: Engines
  tell: (result: CheckResult) => void
}): Promise<ExtractedFields | null> {
  const { files, today, pageReader, engines, tell } = options
  const front = await openImage(await readFile(files.frontImage))
  const back = files.backImage === null ? null : await openImage(await readFile(files.backImage))
  tell(await checkDocumentQuality(front))
  tell(await checkRecapture(front))
  const pages = back === null ? [front] : [front, back]
  const { result: mrzResult, read: mrz } = await checkMrz(pages)
  tell(mrzResult)
  const { result: barcodeResult, read: barcode } = await checkBarcode(pages, mrz)
  tell(barcodeResult)
  tell(checkExpiry(mrz ?? barcode, today))
  tell(checkPrintedFields(await pageReader.read(front), mrz))
  tell(checkMotion(await readFrames(files.livenessVideo)))
  const pictures = engines.face || engines.liveness ? await readPictures(files.livenessVideo) : []
  const readPortrait = async (): Promise<Portrait> => {
    const reference = files.referencePortrait
    return reference === null
      ? { picture: await toRgbPicture(front), source: 'document' }
      : {
          picture: await toRgbPicture(await openImage(await readFile(reference))),
          source: 'reference_portrait',
        }
  }
  for (const result of await checkFaces({ engine: engines.face, frames: pictures, readPortrait }))
    tell(result)
  tell(await checkLiveness(engines.liveness, pictures))
  return toFields(mrz, barcode)
}

function toFields(mrz: Mrz | null, barcode: AamvaFields | null): ExtractedFields | null {
  const names = mrz ?? barcode
  if (names === null) return null
  const { surname, givenNames, documentNumber, dateOfBirth, expiryDate } = names
  return {
    document_type: mrz?.documentType ?? 'DL',
    document_number: documentNumber,
    full_name: [givenNames, surname].filter(Boolean).join(' ') || null,
    surname,
    given_names: givenNames,
    date_of_birth: dateOfBirth,
    expiry_date: expiryDate,
    nationality: mrz?.nationality ?? null,
    issuing_country: mrz?.issuingCountry ?? barcode?.country ?? null,
    sex: mrz?.sex ?? null,
    mrz: mrz === null ? null : { format: mrz.format, lines: mrz.lines, valid: mrz.valid },
  }
}
