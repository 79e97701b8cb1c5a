import type { GreyImage } from '../image/open-image.ts'
import type { TextBlock, TextWord } from './layout.ts'
import { hasColumns } from './columns.ts'
import { eraseRules } from './erase-rules.ts'
import { findOrientation, SURE_ORIENTATION } from './find-script.ts'
import { toRows } from './photo-reader/order-lines.ts'
import type { PhotoReader } from './photo-reader/photo-reader.ts'
import { recognize } from './recognizer.ts'
import { findLineDirection, shrinkPage, turnPage } from './straighten.ts'

/** Longest side of the picture that is recognized; A4 at 300 dpi has 3508. */
const MAX_SIDE = 4400
/** A page that is read this well stands upright. */
const SURELY_UPRIGHT: Legible = { confidence: 0.8, share: 0.5 }
/**
 * The share from which a page stands upright unless the detector of scripts is sure that it does not. Of 30 receipts, at least 0.27 of the letters
 * were read with this confidence, and in other directions at most 0.12; of other pages in two languages, up to 0.25.
 */
const UPRIGHT: Legible = { confidence: 0.8, share: 0.3 }
/**
 * The share from which a page stands upright if it can only be upside down otherwise. Of 30 receipts, at least 0.26 of the letters were read with
 * this confidence, and upside down at most 0.17.
 */
const UPRIGHT_OF_TWO: Legible = { confidence: 0.8, share: 0.25 }
/** A page that was read this well stands upright if the detector is sure that it does. It errs as well, but on other pages. */
const LIKELY_UPRIGHT: Legible = { confidence: 0.8, share: 0.15 }
/** Fewer letters say nothing about how the page stands, nor whether it can be read. */
export const MIN_LETTERS = 8
/** Longer words are lines of a machine-readable zone, which is hardly ever read with confidence. */
const LONGEST_WORD = 20
/** Numbers that are others upside down, which say nothing about how the page stands. */
const TURNABLE = /^[01689.,:-]+$/
/**
 * A page is turned from how its lines lie only if it is read that much better. Some letters and digits are others upside down, such
 * as 692 and 369, and are read about as well.
 */
const TURNED_GAIN = 2
/** Longest side of the pictures in which the other directions are tried. */
const TRIAL_SIDE = 1500

/** Which share of the letters must be in words that were read with a confidence. */
export interface Legible {
  readonly confidence: number
  readonly share: number
}

interface Attempt {
  degrees: number
  picture: GreyImage
  blocks: TextBlock[]
}

/** The text of a picture that was turned upright. Boxes are in the pixels of `picture`. */
export interface UprightText {
  readonly picture: GreyImage
  /** Degrees by which it was turned clockwise, greater than -180 and up to 180. */
  readonly rotation: number
  /** Whether it was read well enough to be sure that it stands upright. */
  readonly isUpright: boolean
  readonly blocks: TextBlock[]
}

/**
 * Turns a picture of print upright, in quarters and up to 10 degrees of tilt, and recognizes its text.
 *
 * @param options.rotation what another reading of the page found; tried first
 * @param options.rotations by how much the page may have to be turned clockwise, instead: [0] to read it as it lies
 * @param options.photoReader reads the page instead of tesseract, row by row
 */
export async function recognizeUpright(
  page: GreyImage,
  languages: readonly string[],
  {
    rotation,
    rotations,
    photoReader,
  }: { rotation?: number | undefined; rotations?: readonly number[]; photoReader?: PhotoReader } = {},
): Promise<UprightText> {
  const [first = 0, ...others] = rotations ?? (await likelyRotations(page, rotation))

  async function attempt(degrees: number, side: number): Promise<Attempt> {
    const picture = await turnPage(page, degrees)
    if (photoReader !== undefined)
      return { degrees, picture, blocks: toRows(await photoReader.read(picture)) }
    const small = await shrinkPage(picture, side)
    const layout = (await hasColumns(small)) ? 'columns' : 'rows'
    return {
      degrees,
      picture,
      blocks: await recognize(layout === 'rows' ? eraseRules(small, languages) : small, {
        languages,
        scale: picture.width / small.width,
        layout,
      }),
    }
  }

  let best = await attempt(first, MAX_SIDE)
  const isLevel = others.every((other) => (other - first) % 180 === 0)
  if (others.length > 0 && !(await standsUpright(best, isLevel ? UPRIGHT_OF_TWO : SURELY_UPRIGHT))) {
    let trial = best
    for (const degrees of others) {
      const other = await attempt(degrees, TRIAL_SIDE)
      if (isReadBetter(other, trial, trial === best ? TURNED_GAIN : 1)) trial = other
      if (isLegible(trial.blocks, UPRIGHT)) break
    }
    if (trial !== best) best = await attempt(trial.degrees, MAX_SIDE)
  }
  const { degrees, picture, blocks } = best
  return {
    picture,
    rotation: degrees > 180 ? degrees - 360 : degrees,
    isUpright: isLegible(blocks, UPRIGHT),
    blocks,
  }
}

/** Whether more was read, and so many times more of what tells how the page stands. */
const isReadBetter = ({ blocks }: Attempt, other: Attempt, gain: number): boolean =>
  legibility(blocks) > legibility(other.blocks) && certainty(blocks) > certainty(other.blocks) * gain

async function standsUpright({ picture, blocks }: Attempt, surely: Legible): Promise<boolean> {
  if (isLegible(blocks, surely)) return true
  if (!isLegible(blocks, LIKELY_UPRIGHT)) return false
  const found = await findOrientation(picture)
  const isSure = found !== null && found.confidence >= SURE_ORIENTATION
  return isLegible(blocks, UPRIGHT) ? !isSure || found.rotation === 0 : isSure && found.rotation === 0
}

/** Returns by how much a page may have to be turned clockwise, the likeliest first: two turns if the axis of its lines is sure, or all four. */
export async function likelyRotations(page: GreyImage, known?: number): Promise<readonly number[]> {
  if (known !== undefined) return [0, 180, 90, 270].map((turn) => (known + turn + 360) % 360)
  const { axis, isSure, tilt } = await findLineDirection(page)
  // The tilt levels lines along the axis that was found.
  const level = (axis === 'horizontal' ? [0, 180] : [270, 90]).map((turn) => turn + tilt)
  return isSure ? level : [...level, ...(axis === 'horizontal' ? [90, 270] : [0, 180])]
}

const wordsOf = (blocks: readonly TextBlock[]) =>
  blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words))

/** Returns the words that tell how a page stands. */
const tellingOf = (blocks: readonly TextBlock[]) => wordsOf(blocks).filter(({ text }) => !TURNABLE.test(text))

const countLetters = (words: readonly TextWord[]): number =>
  words.reduce((sum, { text }) => sum + text.length, 0)

/** Whether enough of the letters are in words that were read with confidence. */
export const isLegible = (blocks: readonly TextBlock[], least: Legible): boolean =>
  (shareLegible(blocks, least.confidence) ?? 0) >= least.share

/** Returns the share of the letters in words that were read with this confidence; null if they are too few to tell. */
export function shareLegible(blocks: readonly TextBlock[], sure: number): number | null {
  const words = tellingOf(blocks).filter(({ text }) => text.length <= LONGEST_WORD)
  const letters = countLetters(words)
  if (letters < MIN_LETTERS) return null
  return countLetters(words.filter(({ confidence }) => confidence >= sure)) / letters
}

/** Counts letters by how certainly they were read. Noise gives many letters, but with little confidence. */
export const legibility = (blocks: readonly TextBlock[]): number => sumCertain(wordsOf(blocks))

/** The same of those that tell how the page stands. */
const certainty = (blocks: readonly TextBlock[]): number => sumCertain(tellingOf(blocks))

const sumCertain = (words: readonly TextWord[]): number =>
  words.reduce((sum, { text, confidence }) => sum + text.length * confidence ** 3, 0)
