import { checkBarcode } from '../barcode/check-barcode.ts'
import { type CheckResult, notRun, worseResult } from '../check.ts'
import { checkDocumentQuality } from '../image/document-quality.ts'
import { checkFaces } from '../faces/check-faces.ts'
import { type OpenedImage, readGrey } from '../image/open-image.ts'
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
import type { StepInput, StepOutput } from './job.ts'
import type { StepName } from './steps.ts'
import { readPortraits } from './take-pictures.ts'

export interface StepContext extends StepInput {
  /** Returns the engines, which may still be loading; only their steps wait for them. */
  engines: () => Promise<Engines>
  /** Returns the page reader, which may be created on first use. */
  pageReader: () => Promise<PageReader>
  /** Opens a side of the document; the same one for all steps, which share what they read of its pixels. */
  openSide: (file: string) => Promise<OpenedImage>
}

type Sides = Pick<StepContext, 'files' | 'openSide'>
const openFront = ({ files, openSide }: Sides): Promise<OpenedImage> => openSide(files.frontImage)
const openSides = ({ files, openSide }: Sides): Promise<readonly OpenedImage[]> =>
  Promise.all([files.frontImage, files.backImage].filter((file) => file !== null).map(openSide))

const wordsFound = ({ evidence }: CheckResult): number => Number(evidence['words_found'] ?? 0)

/** Returns how a picture may have to be rotated clockwise for its lines to be upright, such as the front of a card whose zone is on the back. */
async function likelyTurns(image: OpenedImage): Promise<readonly number[]> {
  const { axis } = await findLineDirection(await readGrey(image, LINES_SIDE))
  return axis === 'horizontal' ? [0, 180] : [270, 90]
}
/** Longest side of a picture in which the direction of lines is looked for. */
const LINES_SIDE = 1200

const RUN: Readonly<Record<StepName, (context: StepContext) => Promise<StepOutput>>> = {
  // Sharpness and moiré are the same in all four turns, and to straighten the picture would blur both, so these two share its pixels only.
  async document_quality({ findings: { isFrontRead: isLegible }, ...context }) {
    return { results: [await checkDocumentQuality(await openFront(context), { isLegible })] }
  },
  async document_recapture(context) {
    const sides = await Promise.all((await openSides(context)).map((side) => checkRecapture(side)))
    return { results: [sides.reduce(worseResult)] }
  },
  async document_sides({ files: { frontImage, backImage }, openSide }) {
    const front = await openSide(frontImage)
    const back = backImage === null ? null : await openSide(backImage)
    return {
      results: [await checkSides(front, back)],
      findings: { likeness: await describeLikeness(front) },
    }
  },
  async mrz_checks(context) {
    const { result, read: mrz, ...front } = await checkMrz(await openSides(context))
    const hasUnsureZone = mrz === null && result.code !== 'mrz_not_found'
    return { results: [result], findings: { mrz, hasUnsureZone, ...front } }
  },
  async barcode({ findings, ...context }) {
    const { result, read: barcode } = await checkBarcode(await openSides(context), findings.mrz)
    // A licence has a barcode instead of a zone.
    const isInstead = findings.mrz === null && !findings.hasUnsureZone && result.code === 'barcode_read'
    const zone = isInstead ? [notRun('mrz_checks', 'barcode_instead')] : []
    return { results: [result, ...zone], findings: { barcode } }
  },
  async document_template({ findings, templates, today, ...context }) {
    const sides = await openSides(context)
    const { result, read, frontTurnDegrees } = await readTemplate(sides, { findings, templates, today })
    return {
      results: [result],
      findings: { template: read, ...(frontTurnDegrees !== null && { frontTurnDegrees }) },
    }
  },
  document_expiry: async ({ findings: { mrz, barcode, template }, today }) => ({
    results: [template === null ? checkExpiry(mrz ?? barcode, today) : checkTemplateExpiry(template, today)],
  }),
  async printed_fields({ findings, pageReader, ...context }) {
    const read = findings.mrz ?? findings.barcode
    // Skip reading the page if possible: it is the most expensive step.
    if (read === null) return { results: [nothingToCompare] }
    const front = await openFront(context)
    const known = findings.isFrontRead ? findings.frontTurnDegrees : null
    const turns = known === null ? await likelyTurns(front) : [known]
    const reader = await pageReader()
    const attempts: { turn: number; result: CheckResult }[] = []
    for (const turn of turns) {
      const result = checkPrintedFields(await reader.read(front, turn), read)
      attempts.push({ turn, result })
      if (wordsFound(result) > 0) break
    }
    const best = attempts.reduce((one, other) =>
      wordsFound(other.result) > wordsFound(one.result) ? other : one,
    )
    return {
      results: [best.result],
      ...(wordsFound(best.result) > 0 && { findings: { frontTurnDegrees: best.turn } }),
    }
  },
  video_motion: async ({ files }) => ({ results: [checkMotion(await readFrames(files.livenessVideo))] }),
  async faces({ files, findings, openSide, engines }) {
    const { face: engine } = await engines()
    const frames = engine === null ? [] : await readPictures(files.livenessVideo, FACE_SAMPLING)
    return {
      results: await checkFaces({
        engine,
        frames: frames && frames.map(({ picture }) => picture),
        readPortraits: () => readPortraits({ ...files, ...findings }, openSide),
      }),
    }
  },
  async liveness({ files, engines }) {
    const { liveness: engine } = await engines()
    const frames = engine === null ? [] : await readPictures(files.livenessVideo, LIVENESS_SAMPLING)
    return { results: [await checkLiveness(engine, frames)] }
  },
}

export const runStep = (step: StepName, context: StepContext): Promise<StepOutput> => RUN[step](context)
