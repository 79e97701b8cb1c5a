import type { GreyImage } from '../image/open-image.ts'
import { hasColumns } from './columns.ts'
import {
  checkUnreadPage,
  findReadable,
  isReadInLatin,
  isUnread,
  otherLatinData,
  putReadableFirst,
  samplePage,
} from './foreign-script.ts'
import { findInk, inkScale } from './ink.ts'
import { meanConfidence, type PageError } from './layout.ts'
import type { PhotoReader } from './photo-reader/photo-reader.ts'
import {
  isLegible,
  type Legible,
  legibility,
  likelyRotations,
  recognizeUpright,
  type UprightText,
} from './recognize-upright.ts'
import { recognize } from './recognizer.ts'
import { densestRun, MIN_LINES } from './sample-lines.ts'
import { turnPage } from './straighten.ts'

/** Codes of the languages of which the reader of photographs knows every letter. */
const PHOTO_LANGUAGES: ReadonlySet<string> = new Set(['eng', 'ind'])
/**
 * The part of a page that is read as a sample, of its height, and the confidence from which tesseract reads all of it. Of 24 receipts, which
 * the reader of photographs read better, the surest sample had 0.89. `pnpm bench photos` measures both readers.
 */
const SAMPLE = { height: 0.15, sure: 0.9 }
/** If the reader of photographs does not read a page this well, tesseract may read it better. */
const WELL: Legible = { confidence: 0.8, share: 0.5 }

/**
 * Turns a picture of print upright and reads it, with the reader of photographs if that reads it better: not columns of running text, which
 * it would mix, nor pages of which tesseract reads a sample with certainty, such as scans.
 */
export async function readUpright(
  page: GreyImage,
  languages: readonly string[],
  { isTurned, photoReader }: { isTurned: boolean; photoReader?: PhotoReader },
): Promise<UprightText & { error?: PageError }> {
  const likely = isTurned ? await likelyRotations(page) : [0]
  const [level = 0] = likely
  const levelled = await turnPage(page, level)
  const sampled = await samplePage(levelled, languages)
  if (typeof sampled === 'object') return refuse(page, sampled)
  // Hardly any lines across the page tell that its lines do not run across it.
  const isAcross = Math.abs(Math.sin((level * Math.PI) / 180)) > Math.SQRT1_2
  const isWrong = sampled === 'unreadable' || (sampled === 'none' && isAcross)
  const rotations = isWrong ? await putReadableFirst(page, languages, likely) : likely
  const read = await readTurned(page, languages, { rotations, isTurned, ...(photoReader && { photoReader }) })
  if (!isUnread(read.blocks, languages)) return read
  // Signs above and below letters may count as lines of their own.
  const hasFewLines = sampled === 'none' || read.blocks.flatMap(({ lines }) => lines).length < MIN_LINES
  const latin = otherLatinData(languages)
  if (!hasFewLines && latin === undefined) return read
  const checked = await checkUnreadPage(levelled, languages)
  if (typeof checked === 'object' && hasFewLines) return refuse(page, checked)
  if (checked !== 'unknown') return read
  const reread =
    latin === undefined ? null : await readInLatin(page, latin, { rotations: likely, photoReader })
  if (reread !== null) return reread
  const error = hasFewLines ? await findReadable(levelled, languages) : null
  return error === null ? read : refuse(page, error)
}

/** Reads a page with data of Latin letters, which most documents have, whatever their language; null if it is in other letters. */
async function readInLatin(
  page: GreyImage,
  data: string,
  { rotations, photoReader }: { rotations: readonly number[]; photoReader: PhotoReader | undefined },
): Promise<UprightText | null> {
  const read = await recognizeUpright(page, [data], { rotations })
  if (!isReadInLatin(read.blocks)) return null
  if (photoReader === undefined) return read
  return readTurned(page, [data], { rotations: [read.rotation], isTurned: false, photoReader })
}

const refuse = (page: GreyImage, error: PageError): UprightText & { error: PageError } => ({
  picture: page,
  rotation: 0,
  isUpright: false,
  blocks: [],
  error,
})

async function readTurned(
  page: GreyImage,
  languages: readonly string[],
  {
    rotations,
    isTurned,
    photoReader,
  }: { rotations: readonly number[]; isTurned: boolean; photoReader?: PhotoReader },
): Promise<UprightText> {
  const [first = 0] = rotations
  const byTesseract = (known?: number) =>
    recognizeUpright(page, languages, isTurned && known !== undefined ? { rotation: known } : { rotations })
  if (photoReader === undefined || !languages.every((code) => PHOTO_LANGUAGES.has(code))) return byTesseract()
  if (await suitsTesseract(await turnPage(page, first), languages)) return byTesseract()
  const read = await recognizeUpright(page, languages, { rotations, photoReader })
  if (!isLegible(read.blocks, WELL)) {
    const other = await byTesseract(read.isUpright ? read.rotation : undefined)
    return legibility(other.blocks) > legibility(read.blocks) ? other : read
  }
  const isAsTried = (read.rotation - first) % 360 === 0
  return !isAsTried && (await suitsTesseract(read.picture, languages)) ? byTesseract(read.rotation) : read
}

async function suitsTesseract(picture: GreyImage, languages: readonly string[]): Promise<boolean> {
  if (await hasColumns(picture)) return true
  const sample = await cutSample(picture)
  const lines = (await recognize(sample, { languages, scale: 1, layout: 'rows' })).flatMap(
    (block) => block.lines,
  )
  return meanConfidence(lines) >= SAMPLE.sure
}

/** Cuts out the rows that have the most ink. */
async function cutSample(picture: GreyImage): Promise<GreyImage> {
  const { data, width, height } = picture
  const scale = inkScale(picture)
  const ink = Array.from({ length: Math.ceil(height * scale) }, () => 0)
  for (const row of (await findInk(picture)).across) ink[row] = (ink[row] ?? 0) + 1
  const { start, end } = densestRun(ink, Math.ceil(height * scale * SAMPLE.height))
  const [top, bottom] = [Math.floor(start / scale), Math.min(height, Math.ceil(end / scale))]
  return { data: data.subarray(top * width, bottom * width), width, height: bottom - top }
}
