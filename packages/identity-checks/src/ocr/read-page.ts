import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { type GreyImage, MAX_PIXELS } from '../image/open-image.ts'
import { MediaError } from '../media-error.ts'
import { findBarcodes, readFields } from './find-fields.ts'
import type { ReadPage, TextBlock, TextWord } from './layout.ts'
import { openPdf } from './pdf.ts'
import { recognize } from './recognizer.ts'
import { sniffDocument } from './sniff-document.ts'
import { findLineDirection, shrinkPage, turnPage } from './straighten.ts'

/** A page of a document. */
export interface PageRequest {
  readonly file: string
  /** From 0. */
  readonly page: number
  /** Codes of the language data, most important first. */
  readonly languages: readonly string[]
}

sharp.unblock({ operation: ['VipsForeignLoadTiff'] })

/** Below this size nothing is legible. */
const MIN_SIDE_PIXELS = 8
/** Longest side of the picture that is recognized; A4 at 300 dpi has 3508. */
const MAX_SIDE = 4400

/**
 * Counts the pages of a document.
 *
 * @throws MediaError `unknown_type`, `heic_not_supported`, `damaged`, `protected`, `too_many_pages`
 */
export async function countPages(options: { file: string; maxPages: number }): Promise<{ pages: number }> {
  const bytes = await readFile(options.file)
  const pages = await pagesOf(bytes)
  if (pages > options.maxPages)
    throw new MediaError('too_many_pages', `has ${pages} pages, more than ${options.maxPages}`)
  if (pages === 0) throw new MediaError('damaged', 'has no pages')
  return { pages }
}

async function pagesOf(bytes: Buffer): Promise<number> {
  if (sniffDocument(bytes) === 'application/pdf') {
    using pdf = await openPdf(bytes)
    return pdf.pages
  }
  return toMediaError(async () => {
    const {
      width,
      height,
      pages = 1,
      format,
    } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata()
    if (width * height > MAX_PIXELS) throw new MediaError('too_many_pixels', TOO_MANY_PIXELS)
    return format === 'tiff' ? pages : 1
  })
}

/**
 * Reads a page of a document.
 *
 * @throws MediaError `unknown_type`, `heic_not_supported`, `damaged`, `protected`, `too_many_pixels`, `too_small`
 */
export async function readPage({ file, page, languages }: PageRequest): Promise<ReadPage> {
  const bytes = await readFile(file)
  if (sniffDocument(bytes) !== 'application/pdf')
    return recognizePage(await openPicture(bytes, page), languages)
  using pdf = await openPdf(bytes)
  using opened = pdf.openPage(page)
  const blocks = opened.readTextLayer()
  const picture = opened.render()
  if (blocks === null) return recognizePage(picture, languages)
  const { width, height } = opened
  return { width, height, rotation: 0, source: 'text_layer', blocks, ...(await findMarks(picture, blocks)) }
}

const TOO_MANY_PIXELS = 'has more than 40 million pixels'

async function toMediaError<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof MediaError) throw error
    if (error instanceof Error && error.message.includes('pixel limit'))
      throw new MediaError('too_many_pixels', TOO_MANY_PIXELS, error)
    throw new MediaError('damaged', 'is damaged or incomplete', error)
  }
}

/** Opens a picture, upright per its EXIF orientation, on a white ground. */
const openPicture = (bytes: Buffer, page: number): Promise<GreyImage> =>
  toMediaError(async () => {
    const { data, info } = await sharp(bytes, { page, limitInputPixels: MAX_PIXELS, failOn: 'truncated' })
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .toColourspace('b-w')
      .extractChannel(0)
      .raw()
      .toBuffer({ resolveWithObject: true })
    if (Math.min(info.width, info.height) < MIN_SIDE_PIXELS)
      throw new MediaError('too_small', `must be at least ${MIN_SIDE_PIXELS} pixels on each side`)
    return { data, width: info.width, height: info.height }
  })

/**
 * A page stands upright if at least half of its letters are in words that were read with this confidence. Upside down,
 * hardly any are; foreign scripts and pictures on the page may make up the other half.
 */
const UPRIGHT = { confidence: 0.8, share: 0.5 }
/** Fewer letters say nothing about how the page stands. */
const MIN_LETTERS = 8
/** Longer words are lines of a machine-readable zone, which is hardly ever read with confidence. */
const LONGEST_WORD = 20
/** Longest side of the pictures in which the other directions are tried. */
const TRIAL_SIDE = 1500

interface Attempt {
  degrees: number
  picture: GreyImage
  blocks: TextBlock[]
}

async function recognizePage(page: GreyImage, languages: readonly string[]): Promise<ReadPage> {
  const { axis, tilt } = await findLineDirection(page)
  const [first = 0, ...others] = (axis === 'horizontal' ? [0, 180, 90, 270] : [270, 90, 0, 180]).map((turn) =>
    // The tilt levels lines along the axis that was found.
    turn % 180 === (axis === 'horizontal' ? 0 : 90) ? turn + tilt : turn,
  )

  async function attempt(degrees: number, side: number): Promise<Attempt> {
    const picture = await turnPage(page, degrees)
    const small = await shrinkPage(picture, side)
    return {
      degrees,
      picture,
      blocks: await recognize(small, { languages, scale: picture.width / small.width }),
    }
  }

  let best = await attempt(first, MAX_SIDE)
  if (!isUpright(best.blocks)) {
    let trial = best
    for (const degrees of others) {
      const other = await attempt(degrees, TRIAL_SIDE)
      if (legibility(other.blocks) > legibility(trial.blocks)) trial = other
      if (isUpright(trial.blocks)) break
    }
    if (trial !== best) best = await attempt(trial.degrees, MAX_SIDE)
  }
  const { degrees, picture, blocks } = best
  const { width, height } = picture
  const rotation = degrees > 180 ? degrees - 360 : degrees
  return { width, height, rotation, source: 'recognition', blocks, ...(await findMarks(picture, blocks)) }
}

const wordsOf = (blocks: readonly TextBlock[]) =>
  blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words))

const countLetters = (words: readonly TextWord[]): number =>
  words.reduce((sum, { text }) => sum + text.length, 0)

function isUpright(blocks: readonly TextBlock[]): boolean {
  const words = wordsOf(blocks).filter(({ text }) => text.length <= LONGEST_WORD)
  const letters = countLetters(words)
  const sure = countLetters(words.filter(({ confidence }) => confidence >= UPRIGHT.confidence))
  return letters >= MIN_LETTERS && sure >= letters * UPRIGHT.share
}

/** Counts letters by how certainly they were read. Noise gives many letters, but with little confidence. */
const legibility = (blocks: readonly TextBlock[]): number =>
  wordsOf(blocks).reduce((sum, { text, confidence }) => sum + text.length * confidence ** 3, 0)

async function findMarks(
  picture: GreyImage,
  blocks: readonly TextBlock[],
): Promise<Pick<ReadPage, 'barcodes' | 'fields'>> {
  const barcodes = await findBarcodes(picture)
  return { barcodes, fields: await readFields(picture, { blocks, barcodes }) }
}
