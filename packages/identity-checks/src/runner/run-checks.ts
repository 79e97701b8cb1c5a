import { readFile } from 'node:fs/promises'
import { type CheckName, type CheckResult, notRun } from '../check.ts'
import { checkDocumentQuality } from '../image/document-quality.ts'
import { openImage } from '../image/open-image.ts'
import { checkRecapture } from '../image/recapture.ts'
import { checkExpiry, checkMrz } from '../mrz/check-mrz.ts'
import { checkMotion } from '../video/motion.ts'
import { readFrames } from '../video/read-frames.ts'
import type { CheckFiles, ExtractedFields } from './job.ts'

/** Checks for which no engine is built in: they say so. */
const WITHOUT_ENGINE: readonly CheckName[] = [
  'printed_fields',
  'barcode',
  'face_presence',
  'liveness',
  'face_match',
]

/** Runs the checks of a verification, and tells each result as soon as it is there. */
export async function runChecks(options: {
  files: CheckFiles
  /** YYYY-MM-DD: what an expiry is compared with. */
  today: string
  tell: (result: CheckResult) => void
}): Promise<ExtractedFields | null> {
  const { files, today, tell } = options
  const front = await openImage(await readFile(files.frontImage))
  const back = files.backImage === null ? null : await openImage(await readFile(files.backImage))
  tell(await checkDocumentQuality(front))
  tell(await checkRecapture(front))
  const mrz = await checkMrz(back === null ? [front] : [front, back])
  tell(mrz.result)
  tell(checkExpiry(mrz.read, today))
  tell(checkMotion(await readFrames(files.livenessVideo)))
  for (const check of WITHOUT_ENGINE) tell(notRun(check, 'no_engine'))
  return mrz.read === null
    ? null
    : {
        document_type: mrz.read.documentType,
        document_number: mrz.read.documentNumber,
        full_name: [mrz.read.givenNames, mrz.read.surname].filter(Boolean).join(' ') || null,
        surname: mrz.read.surname,
        given_names: mrz.read.givenNames,
        date_of_birth: mrz.read.dateOfBirth,
        expiry_date: mrz.read.expiryDate,
        nationality: mrz.read.nationality,
        issuing_country: mrz.read.issuingCountry,
        sex: mrz.read.sex,
        mrz: { format: mrz.read.format, lines: mrz.read.lines, valid: mrz.read.valid },
      }
}
