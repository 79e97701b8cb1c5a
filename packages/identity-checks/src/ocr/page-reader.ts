import { createRequire } from 'node:module'
import path from 'node:path'
import { createWorker, OEM, PSM, type TesseractBlock } from 'tesseract.js'
import { type OpenedImage, readGrey } from '../image/open-image.ts'
import { toPgm } from '../image/pgm.ts'
import { sizeOf, turn, type Turn } from '../image/turn.ts'
import type { TextWord } from './layout.ts'

export interface PageText {
  readonly text: string
  /** The text without the words that were not read with certainty. A line break is in place of each. */
  readonly sure: string
  /** Overall confidence of the engine, 0 to 1. */
  readonly confidence: number
  /** Missing if it is not known. */
  readonly layout?: PageLayout
  /** What read it, with its version; the built-in reader if it is missing. */
  readonly model?: string
}

/** Lines of words, with their boxes in the pixels of the upright page, and how that was turned. */
export interface PageLayout {
  readonly turn: Turn
  readonly lines: readonly (readonly Pick<TextWord, 'text' | 'box'>[])[]
}

/** Reads the printed text of a page. */
export interface PageReader extends AsyncDisposable {
  /** @param turnDegrees by how much the image must be rotated clockwise to be upright, a multiple of 90 */
  read(image: OpenedImage, turnDegrees?: number): Promise<PageText>
}

/** Confidence from which a word is read with certainty. On drawn passports, no date above it was misread. */
const SURE = 90

/** The language data comes from a package, so that nothing is downloaded. */
const DATA = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
  '4.0.0_best_int',
)

/** The longest side of a picture that is read. */
const SIDE = 2400

/** Creates a reader of Latin print with tesseract.js. It takes about 200 MB. */
export async function createPageReader(): Promise<PageReader> {
  const worker = await createWorker('eng', OEM.LSTM_ONLY, { langPath: DATA, gzip: true, cacheMethod: 'none' })
  // The default takes the page for one block of text and loses lines beside the portrait: it found all names on 19 of 24 drawn
  // passports and the expiry on 8, instead of 24 and 24, in two thirds of the time.
  await worker.setParameters({ tessedit_pageseg_mode: PSM.AUTO })
  return {
    async read(image, turnDegrees = 0) {
      const scaled = await readGrey(image, SIDE)
      const page = turn(scaled, turnDegrees)
      const { data } = await worker.recognize(toPgm(page), {}, { text: true, blocks: true })
      const lines = linesOf(data.blocks ?? [])
      return {
        text: data.text,
        sure: sureTextOf(lines),
        confidence: data.confidence / 100,
        layout: {
          turn: {
            degrees: turnDegrees,
            original: sizeOf(image),
            scaled: sizeOf(scaled),
            turned: sizeOf(page),
          },
          lines: lines.map(({ words }) => words.map(toWord)),
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}

const linesOf = (blocks: readonly TesseractBlock[]) =>
  blocks.flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))

const toWord = ({ text, bbox: { x0, y0, x1, y1 } }: ReturnType<typeof linesOf>[number]['words'][number]) => ({
  text,
  box: { x: x0, y: y0, width: x1 - x0, height: y1 - y0 },
})

const sureTextOf = (lines: ReturnType<typeof linesOf>): string =>
  lines
    .map(({ words }) => words.map(({ text, confidence }) => (confidence >= SURE ? text : '\n')).join(' '))
    .join('\n')
