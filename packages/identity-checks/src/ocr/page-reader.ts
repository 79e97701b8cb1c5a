import { createRequire } from 'node:module'
import path from 'node:path'
import sharp from 'sharp'
import { createWorker, OEM } from 'tesseract.js'
import type { OpenedImage } from '../image/open-image.ts'

export interface PageText {
  readonly text: string
  /** 0 to 1: how sure the engine is, on the whole. */
  readonly confidence: number
}

/** Reads the printed text of a page. */
export interface PageReader extends AsyncDisposable {
  read(image: OpenedImage): Promise<PageText>
}

/** The language data comes with a package: nothing is fetched. */
const DATA = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')),
  '4.0.0_best_int',
)

/** Makes a reader of Latin print by tesseract.js; it takes about 200 MB. */
export async function createPageReader(): Promise<PageReader> {
  const worker = await createWorker('eng', OEM.LSTM_ONLY, { langPath: DATA, gzip: true, cacheMethod: 'none' })
  return {
    async read(image) {
      // Security print and noise are finer than letters: without them, all names were found on 6 drawn passports of 8, with
      // them on 2, and it takes two thirds of the time.
      const clean = await sharp(image.jpeg).greyscale().median(3).normalise().jpeg({ quality: 95 }).toBuffer()
      const { data } = await worker.recognize(clean)
      return { text: data.text, confidence: data.confidence / 100 }
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}
