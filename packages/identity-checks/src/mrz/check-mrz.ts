import { type CheckResult, notRun, toScore, unsure } from '../check.ts'
import type { OpenedImage } from '../image/open-image.ts'
import { toPlace, toPlaced } from '../image/place.ts'
import { findOddity, type MrzOddity } from './find-oddity.ts'
import type { Mrz } from './parse-mrz.ts'
import { isZoneInGlare, type MrzReading, readMrz } from './read-mrz.ts'

const MODEL = 'ocr-b/1'
/**
 * Limits of confidence. The least certain line must reach `sure` to pass, and counts as not found below `doubtful`. The
 * least certain character must reach `sureCharacter` as well: no check digit covers a name, two wrong characters can fit one, and
 * some pairs such as G and Q have the same value in it. A visa has no digit that covers the others, so its characters must be surer.
 */
const CONFIDENCE = { doubtful: 0.78, sure: 0.95, sureCharacter: 0.95, sureCharacterOfVisa: 0.98 }
const sureCharacterOf = ({ format }: Mrz): number =>
  format.startsWith('MRV') ? CONFIDENCE.sureCharacterOfVisa : CONFIDENCE.sureCharacter

/**
 * Reads the machine-readable zone from the picture that has it, and verifies its check digits. `read` is null unless the check
 * passed: a zone that was not read with certainty can have right check digits by chance, and a document must not be declined
 * by it. If light covers a part of the zone, it says so. `frontTurnDegrees` makes the first picture upright; null unless its zone was found.
 * `isFrontRead` says whether that was read with certainty.
 */
export async function checkMrz(
  images: readonly OpenedImage[],
): Promise<{ result: CheckResult; read: Mrz | null; frontTurnDegrees: number | null; isFrontRead: boolean }> {
  const readings = await readSides(images)
  const [front] = readings
  const frontTurnDegrees = front && front.confidence >= CONFIDENCE.doubtful ? front.turnDegrees : null
  const isFrontRead = mrzOf(front ?? null) !== null
  return { ...(await judge(images, readings)), frontTurnDegrees, isFrontRead }
}

/**
 * Reads the last side first, because cards have their zone on the back, and no other once one was read with certainty: a side without a
 * zone takes longest, as everything on it is tried.
 */
async function readSides(images: readonly OpenedImage[]): Promise<(MrzReading | null)[]> {
  const readings: (MrzReading | null)[] = images.map(() => null)
  for (const [index, image] of [...images.entries()].toReversed()) {
    const reading = await readMrz(image)
    readings[index] = reading
    if (mrzOf(reading) !== null) break
  }
  return readings
}

async function judge(
  images: readonly OpenedImage[],
  readings: readonly (MrzReading | null)[],
): Promise<{ result: CheckResult; read: Mrz | null }> {
  const found = toPlaced(images).flatMap((picture, side) => {
    const reading = readings[side] ?? null
    return reading === null ? [] : [{ ...reading, place: toPlace(picture, 'zone', reading.corners) }]
  })
  const best = found.toSorted((a, b) => b.confidence - a.confidence)[0]
  const isInGlare = async () =>
    (await Promise.all(images.map((image) => isZoneInGlare(image)))).includes(true)
  if ((best === undefined || mrzOf(best) === null) && (await isInGlare())) return unread('mrz_glare')
  if (best === undefined || best.confidence < CONFIDENCE.doubtful) return unread('mrz_not_found')
  const { mrz, confidence, characterConfidence } = best
  const oddity = findOddity(mrz)
  const isSure = mrzOf(best) !== null
  return {
    result: {
      check: 'mrz_checks',
      outcome: isSure ? 'passed' : 'warning',
      code: codeOf(mrz, oddity, isSure),
      score: mrz.valid ? toScore(confidence) : 0.3,
      evidence: {
        format: mrz.format,
        wrong_check_digits: mrz.wrong.length,
        oddity: oddity ?? 'none',
        confidence: Math.round(confidence * 1000) / 1000,
        confidence_min: CONFIDENCE.sure,
        character_confidence: Math.round(characterConfidence * 1000) / 1000,
        character_confidence_min: sureCharacterOf(mrz),
      },
      places: [best.place],
      model: MODEL,
    },
    read: isSure ? mrz : null,
  }
}

/** A wrong check digit is named only where one is wrong. */
function codeOf(mrz: Mrz, oddity: MrzOddity | null, isSure: boolean) {
  if (isSure) return 'mrz_valid'
  if (!mrz.valid) return 'mrz_check_digit'
  return oddity === 'date_of_birth' || oddity === 'expiry_date' ? 'mrz_date_invalid' : 'mrz_unsure'
}

const unread = (code: 'mrz_glare' | 'mrz_not_found') => ({
  result: { ...unsure('mrz_checks', code), score: 0, model: MODEL },
  read: null,
})

/** Returns a zone that was read with certainty, and null instead of any other. */
export function mrzOf(
  reading: Pick<MrzReading, 'mrz' | 'confidence' | 'characterConfidence'> | null,
): Mrz | null {
  if (reading === null) return null
  const { mrz, confidence, characterConfidence } = reading
  const isSure =
    mrz.valid &&
    findOddity(mrz) === null &&
    confidence >= CONFIDENCE.sure &&
    characterConfidence >= sureCharacterOf(mrz)
  return isSure ? mrz : null
}

/** Checks whether the document is valid today, based on a zone that was read with certainty or on a barcode. */
export function checkExpiry(
  read: { readonly expiryDate: string | null; readonly neverExpires?: boolean } | null,
  today: string,
): CheckResult {
  if (read?.neverExpires)
    return {
      ...notRun('document_expiry', 'never_expires'),
      outcome: 'passed',
      score: 1,
      model: MODEL,
    }
  if (read === null) return notRun('document_expiry', 'expiry_not_read')
  if (read.expiryDate === null) return unsure('document_expiry', 'expiry_not_read')
  const isValid = read.expiryDate >= today
  return {
    check: 'document_expiry',
    outcome: isValid ? 'passed' : 'failed',
    code: isValid ? 'document_valid' : 'document_expired',
    score: isValid ? 1 : 0,
    evidence: { today },
    model: MODEL,
  }
}
