import { createRequire } from 'node:module'
import path from 'node:path'
import { createWorker, OEM, PSM, type TesseractBlock } from 'tesseract.js'
import { type OpenedImage, readGrey } from '../image/open-image.ts'
import { toPgm } from './pgm.ts'

export interface PageText {
  readonly text: string
  /** The text without the words that were not read with certainty. A line break is in place of each. */
  readonly sure: string
  /** Overall confidence of the engine, 0 to 1. */
  readonly confidence: number
}

/** Reads the printed text of a page. */
export interface PageReader extends AsyncDisposable {
  read(image: OpenedImage): Promise<PageText>
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
    async read(image) {
      const picture = toPgm(await readGrey(image, SIDE))
      const { data } = await worker.recognize(picture, {}, { text: true, blocks: true })
      return { text: data.text, sure: sureTextOf(data.blocks ?? []), confidence: data.confidence / 100 }
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}

const sureTextOf = (blocks: readonly TesseractBlock[]): string =>
  blocks
    .flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
    .map(({ words }) => words.map(({ text, confidence }) => (confidence >= SURE ? text : '\n')).join(' '))
    .join('\n')
