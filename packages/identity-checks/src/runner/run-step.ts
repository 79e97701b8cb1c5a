import { readFile } from 'node:fs/promises'
import { checkBarcode } from '../barcode/check-barcode.ts'
import { worseResult } from '../check.ts'
import { checkDocumentQuality } from '../image/document-quality.ts'
import { checkFaces, type Portrait } from '../faces/check-faces.ts'
import { type OpenedImage, reopenImage } from '../image/open-image.ts'
import { checkSides } from '../image/document-sides.ts'
import { describeLikeness } from '../image/likeness.ts'
import { checkRecapture } from '../image/recapture.ts'
import { toRgbPicture } from '../image/rgb-picture.ts'
import { checkLiveness } from '../liveness/check-liveness.ts'
import type { Engines } from '../load-engines.ts'
import { checkExpiry, checkMrz } from '../mrz/check-mrz.ts'
import { checkPrintedFields, nothingToCompare } from '../ocr/check-printed-fields.ts'
import type { PageReader } from '../ocr/page-reader.ts'
import { checkMotion } from '../video/motion.ts'
import { readFrames, readPictures } from '../video/read-frames.ts'
import type { CheckFiles, StepInput, StepOutput } from './job.ts'
import type { StepName } from './steps.ts'

export interface StepContext extends StepInput {
  engines: Engines
  /** Returns the page reader, which may be created on first use. */
  pageReader: () => Promise<PageReader>
}

const open = async (file: string): Promise<OpenedImage> => reopenImage(await readFile(file))

const openPages = ({ frontImage, backImage }: CheckFiles): Promise<readonly OpenedImage[]> =>
  Promise.all([frontImage, backImage].filter((file) => file !== null).map(open))

async function readPortrait({ referencePortrait, frontImage }: CheckFiles): Promise<Portrait> {
  return referencePortrait === null
    ? { picture: await toRgbPicture(await open(frontImage)), source: 'document' }
    : { picture: await toRgbPicture(await open(referencePortrait)), source: 'reference_portrait' }
}

const RUN: Readonly<Record<StepName, (context: StepContext) => Promise<StepOutput>>> = {
  document_quality: async ({ files }) => ({
    results: [await checkDocumentQuality(await open(files.frontImage))],
  }),
  async document_recapture({ files }) {
    const sides = await Promise.all((await openPages(files)).map((side) => checkRecapture(side)))
    return { results: [sides.reduce(worseResult)] }
  },
  async document_sides({ files }) {
    const likeness = await describeLikeness(await open(files.frontImage))
    const back = files.backImage === null ? null : await describeLikeness(await open(files.backImage))
    return { results: [checkSides(likeness, back)], findings: { likeness } }
  },
  async mrz_checks({ files }) {
    const { result, read: mrz } = await checkMrz(await openPages(files))
    return { results: [result], findings: { mrz } }
  },
  async barcode({ files, findings }) {
    const { result, read: barcode } = await checkBarcode(await openPages(files), findings.mrz)
    return { results: [result], findings: { barcode } }
  },
  document_expiry: async ({ findings, today }) => ({
    results: [checkExpiry(findings.mrz ?? findings.barcode, today)],
  }),
  async printed_fields({ files, findings: { mrz }, pageReader }) {
    // Skip reading the page if possible: it is the most expensive step.
    if (mrz === null) return { results: [nothingToCompare] }
    const reader = await pageReader()
    return { results: [checkPrintedFields(await reader.read(await open(files.frontImage)), mrz)] }
  },
  video_motion: async ({ files }) => ({ results: [checkMotion(await readFrames(files.livenessVideo))] }),
  async faces({ files, engines: { face: engine } }) {
    const frames = engine === null ? [] : await readPictures(files.livenessVideo)
    return { results: await checkFaces({ engine, frames, readPortrait: () => readPortrait(files) }) }
  },
  async liveness({ files, engines: { liveness: engine } }) {
    const frames = engine === null ? [] : await readPictures(files.livenessVideo)
    return { results: [await checkLiveness(engine, frames)] }
  },
}

export const runStep = (step: StepName, context: StepContext): Promise<StepOutput> => RUN[step](context)
