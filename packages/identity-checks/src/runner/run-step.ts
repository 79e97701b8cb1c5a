import { checkBarcode } from '../barcode/check-barcode.ts'
import { type CheckResult, notRun, worseResult } from '../check.ts'
import { checkDocumentQuality } from '../image/document-quality.ts'
import { checkFaces } from '../faces/check-faces.ts'
import { type OpenedImage, readGrey, turnImage } from '../image/open-image.ts'
import { checkSides } from '../image/document-sides.ts'
import { describeLikeness } from '../image/likeness.ts'
import { checkRecapture } from '../image/recapture.ts'
import { checkLiveness } from '../liveness/check-liveness.ts'
import type { Engines } from '../load-engines.ts'
import { checkExpiry, checkMrz } from '../mrz/check-mrz.ts'
import { checkPrintedFields, nothingToCompare } from '../ocr/check-printed-fields.ts'
import type { PageReader } from '../ocr/page-reader.ts'
import { findLineDirection } from '../ocr/straighten.ts'
import { checkTemplateExpiry } from '../templates/check-expiry.ts'
import { readTemplate } from './read-template.ts'
import { checkMotion } from '../video/motion.ts'
import { FACE_SAMPLING, LIVENESS_SAMPLING, readFrames, readPictures } from '../video/read-frames.ts'
import type { CheckFiles, StepInput, StepOutput } from './job.ts'
import type { StepName } from './steps.ts'
import { openFile, readPortraits } from './take-pictures.ts'

export interface StepContext extends StepInput {
  engines: Engines
  /** Returns the page reader, which may be created on first use. */
  pageReader: () => Promise<PageReader>
}

const openPages = ({ frontImage, backImage }: CheckFiles): Promise<readonly OpenedImage[]> =>
  Promise.all([frontImage, backImage].filter((file) => file !== null).map(openFile))

const wordsFound = ({ evidence }: CheckResult): number => Number(evidence['words_found'] ?? 0)

/** Returns how a picture may have to be rotated clockwise for its lines to be upright, such as the front of a card whose zone is on the back. */
async function likelyTurns(image: OpenedImage): Promise<readonly number[]> {
  const { axis } = await findLineDirection(await readGrey(image, LINES_SIDE))
  return axis === 'horizontal' ? [0, 180] : [270, 90]
}
/** Longest side of a picture in which the direction of lines is looked for. */
const LINES_SIDE = 1200

const RUN: Readonly<Record<StepName, (context: StepContext) => Promise<StepOutput>>> = {
  document_quality: async ({ files, findings: { isFrontRead: isLegible } }) => ({
    results: [await checkDocumentQuality(await openFile(files.frontImage), { isLegible })],
  }),
  async document_recapture({ files }) {
    const sides = await Promise.all((await openPages(files)).map((side) => checkRecapture(side)))
    return { results: [sides.reduce(worseResult)] }
  },
  async document_sides({ files }) {
    const likeness = await describeLikeness(await openFile(files.frontImage))
    const back = files.backImage === null ? null : await describeLikeness(await openFile(files.backImage))
    return { results: [checkSides(likeness, back)], findings: { likeness } }
  },
  async mrz_checks({ files }) {
    const { result, read: mrz, ...front } = await checkMrz(await openPages(files))
    const hasUnsureZone = mrz === null && result.code !== 'mrz_not_found'
    return { results: [result], findings: { mrz, hasUnsureZone, ...front } }
  },
  async barcode({ files, findings }) {
    const { result, read: barcode } = await checkBarcode(await openPages(files), findings.mrz)
    // A licence has a barcode instead of a zone.
    const isInstead = findings.mrz === null && !findings.hasUnsureZone && result.code === 'barcode_read'
    const zone = isInstead ? [notRun('mrz_checks', 'barcode_instead')] : []
    return { results: [result, ...zone], findings: { barcode } }
  },
  async document_template({ files, findings, templates, today }) {
    const { result, read: template } = await readTemplate(files, { findings, templates, today })
    return { results: [result], findings: { template } }
  },
  document_expiry: async ({ findings: { mrz, barcode, template }, today }) => ({
    results: [template === null ? checkExpiry(mrz ?? barcode, today) : checkTemplateExpiry(template, today)],
  }),
  async printed_fields({ files, findings, pageReader }) {
    const read = findings.mrz ?? findings.barcode
    // Skip reading the page if possible: it is the most expensive step.
    if (read === null) return { results: [nothingToCompare] }
    const front = await openFile(files.frontImage)
    const turns = findings.isFrontRead ? [findings.frontTurnDegrees] : await likelyTurns(front)
    const reader = await pageReader()
    const attempts: { turn: number; result: CheckResult }[] = []
    for (const turn of turns) {
      const result = checkPrintedFields(await reader.read(await turnImage(front, turn)), read)
      attempts.push({ turn, result })
      if (wordsFound(result) > 0) break
    }
    const best = attempts.reduce((one, other) =>
      wordsFound(other.result) > wordsFound(one.result) ? other : one,
    )
    return { results: [best.result], findings: { frontTurnDegrees: best.turn } }
  },
  video_motion: async ({ files }) => ({ results: [checkMotion(await readFrames(files.livenessVideo))] }),
  async faces({ files, findings, engines: { face: engine } }) {
    const frames = engine === null ? [] : await readPictures(files.livenessVideo, FACE_SAMPLING)
    return {
      results: await checkFaces({
        engine,
        frames: frames && frames.map(({ picture }) => picture),
        readPortraits: () => readPortraits({ ...files, ...findings }),
      }),
    }
  },
  async liveness({ files, engines: { liveness: engine } }) {
    const frames = engine === null ? [] : await readPictures(files.livenessVideo, LIVENESS_SAMPLING)
    return { results: [await checkLiveness(engine, frames)] }
  },
}

export const runStep = (step: StepName, context: StepContext): Promise<StepOutput> => RUN[step](context)
