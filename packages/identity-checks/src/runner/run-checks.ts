import { readFile } from 'node:fs/promises'
import { type CheckName, type CheckResult, notRun } from '../check.ts'
import { checkBarcode } from '../barcode/check-barcode.ts'
import type { AamvaFields } from '../barcode/parse-aamva.ts'
import { checkDocumentQuality } from '../image/document-quality.ts'
import { openImage } from '../image/open-image.ts'
import { checkRecapture } from '../image/recapture.ts'
import { checkExpiry, checkMrz } from '../mrz/check-mrz.ts'
import type { Mrz } from '../mrz/parse-mrz.ts'
import { checkPrintedFields } from '../ocr/check-printed-fields.ts'
import type { PageReader } from '../ocr/page-reader.ts'
import { checkMotion } from '../video/motion.ts'
import { readFrames } from '../video/read-frames.ts'
import type { CheckFiles, ExtractedFields } from './job.ts'

/** Checks for which no engine is built in: they say so. */
const WITHOUT_ENGINE: readonly CheckName[] = ['face_presence', 'liveness', 'face_match']

/** Runs the checks of a verification, and tells each result as soon as it is there. */
export async function runChecks(options: {
  files: CheckFiles
  /** YYYY-MM-DD: what an expiry is compared with. */
  today: string
  pageReader: PageReader
  tell: (result: CheckResult) => void
}): Promise<ExtractedFields | null> {
  const { files, today, pageReader, tell } = options
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
  for (const check of WITHOUT_ENGINE) tell(notRun(check, 'no_engine'))
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
