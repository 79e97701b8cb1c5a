/**
 * `pnpm bench ocr`: how pages are read, beside bare tesseract.js with the same language data. Pages are drawn with DejaVu Serif and Noto Sans
 * Devanagari, so real ones will have other rates. First the error rates of characters in lines of words; turned pages show what bare
 * tesseract.js does not attempt. Then the words of whole layouts that are read in their reading order, as they are drawn, and as a scanner and
 * a phone see them, and pages of 1 to 8 lines whose script is the one asked for, or not: reading those would make junk, so they are refused.
 * Time is that of the processor, in one process.
 *
 * `pnpm bench ocr 3` draws three pages of each kind, instead of one. `--pages DIR` reads pages that strangers made instead: pictures with their
 * text in reading order beside them, in a `.txt`, or in a `.csv` of eight numbers and a text a line, as in ICDAR 2019 SROIE. They are also
 * read by `tesseract` and `ocrmypdf`, if those are installed, on one thread each. It may be repeated. In the measured page, `receipts` is every
 * 31st of ICDAR 2019 SROIE from 040 to 474, and `scans` are four of tesseract-ocr/test and OCRmyPDF.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { createWorker, OEM } from 'tesseract.js'
import { createRandom } from '../scripts/random.ts'
import { findLanguageData } from '../src/ocr/languages.ts'
import { type ReadPage, textOf } from '../src/ocr/layout.ts'
import { readPage } from '../src/ocr/read-page.ts'
import { WAYS } from './ocr/camera.ts'
import { drawLayout, LAYOUTS, type LayoutName } from './ocr/draw-layouts.ts'
import { drawWords, familyOf, KINDS, PARTIES, SHORT_PAGES, WORDS } from './ocr/draw-words.ts'
import { findInstalledReaders } from './ocr/installed-readers.ts'
import { errorRate, inOrder, isNumber, knownPagesIn, Score, timed, wordsOf } from './ocr/words.ts'

const {
  values: { pages: folders = [] },
  positionals,
} = parseArgs({ options: { pages: { type: 'string', multiple: true } }, allowPositionals: true })
const [pagesOfEach = 1] = positionals.map(Number)

const folder = await mkdtemp(path.join(tmpdir(), 'vaani-ocr-'))
const require = createRequire(import.meta.url)
const devanagari = path.dirname(require.resolve('@expo-google-fonts/noto-sans-devanagari/package.json'))
process.env['FONTCONFIG_FILE'] = path.join(folder, 'fonts.conf')
await writeFile(
  process.env['FONTCONFIG_FILE'],
  `<fontconfig><dir>/usr/share/fonts</dir><dir>${devanagari}</dir><cachedir>${folder}/cache</cachedir></fontconfig>`,
)
sharp.unblock({ operation: ['VipsForeignLoadSvg'] })

const file = path.join(folder, 'page')
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const percent = (rate: number) => `${(rate * 100).toFixed(1)} %`

async function readOurs(picture: Buffer, code: string): Promise<ReadPage> {
  await writeFile(file, picture)
  return readPage({ file, page: 0, languages: [code] })
}

/** The reader of the server, and tesseract.js as it comes, for a language. */
async function openReaders(code: string) {
  const bare = await createWorker(code, OEM.LSTM_ONLY, {
    langPath: findLanguageData(code) ?? '',
    gzip: true,
    cacheMethod: 'none',
  })
  return {
    ours: async (picture: Buffer): Promise<string> => textOf((await readOurs(picture, code)).blocks),
    bare: async (picture: Buffer): Promise<string> => (await bare.recognize(picture)).data.text,
    [Symbol.asyncDispose]: async () => void (await bare.terminate()),
  }
}

async function readWords(): Promise<void> {
  const seconds = { ours: [0].slice(1), bare: [0].slice(1) }
  console.log('| language | page | error rate | bare tesseract.js |\n| --- | --- | --- | --- |')
  for (const code of Object.keys(WORDS)) {
    await using readers = await openReaders(code)
    // The first page loads the language.
    const first = await drawWords(code, { pixels: 40 }, 1, false)
    await Promise.all([readers.ours(first.picture), readers.bare(first.picture)])
    for (const [kind, how] of Object.entries(KINDS)) {
      const errors = { ours: [0].slice(1), bare: [0].slice(1) }
      for (let index = 0; index < pagesOfEach; index++) {
        const { text, picture } = await drawWords(code, how, index + 1, kind === 'noise')
        for (const name of ['ours', 'bare'] as const) {
          const read = await timed(() => readers[name](picture))
          errors[name].push(errorRate(text, read.value))
          // Pages that bare tesseract.js cannot read take it another time.
          if (how.spoil === undefined) seconds[name].push(read.seconds)
        }
      }
      console.log(`| ${code} | ${kind} | ${percent(mean(errors.ours))} | ${percent(mean(errors.bare))} |`)
    }
  }
  const perMinute = (values: readonly number[]) => 60 / mean(values)
  console.log(`
Upright pages a minute of one processor: ${perMinute(seconds.ours).toFixed(1)}, and ${perMinute(seconds.bare).toFixed(1)} with bare tesseract.js, a ratio of ${(perMinute(seconds.ours) / perMinute(seconds.bare)).toFixed(2)}.`)
}

/** In Devanagari, layouts are read as a scanner sees them: without what is the same in all scripts. */
const waysOf = (code: string): string[] => (code === 'eng' ? Object.keys(WAYS) : ['scanned askew'])

async function readLayouts(): Promise<void> {
  console.log(
    '\nWords that are read in their reading order:\n\n| language | page | as | words | in order | bare tesseract.js |\n| - | - | - | - | - | - |',
  )
  for (const code of Object.keys(WORDS)) {
    await using readers = await openReaders(code)
    for (const layout of Object.keys(LAYOUTS) as LayoutName[])
      for (const way of waysOf(code)) {
        const shares = { ours: [0].slice(1), bare: [0].slice(1) }
        let count = 0
        for (let index = 0; index < pagesOfEach; index++) {
          const random = createRandom(index + 1)
          const words = (WORDS[code] ?? '').split(' ')
          const parties = PARTIES[code] ?? ['', '']
          const drawn = await drawLayout(layout, { words, parties, family: familyOf(code), random })
          const truth = wordsOf(drawn.text)
          count += truth.length
          const picture = (await WAYS[way]?.(drawn.picture, random)) ?? drawn.picture
          for (const name of ['ours', 'bare'] as const)
            shares[name].push(inOrder(truth, wordsOf(await readers[name](picture))) / truth.length)
        }
        console.log(
          `| ${code} | ${layout} | ${way} | ${count} | ${percent(mean(shares.ours))} | ${percent(mean(shares.bare))} |`,
        )
      }
  }
}

/** The most lines of a short page. */
const FEW_LINES = 8

async function readShortPages(): Promise<void> {
  console.log(
    '\nPages of few lines, drawn at 32 pixels:\n\n| language | script | pages | refused | words of the others in order | seconds a page |\n| - | - | - | - | - | - |',
  )
  for (const { asked, script, words } of SHORT_PAGES) {
    let [refused, count, order, seconds] = [0, 0, 0, 0]
    for (let index = 0; index < pagesOfEach * FEW_LINES; index++) {
      const lines = 1 + (index % FEW_LINES)
      const { text, picture } = await drawWords(words, { pixels: 32, lines }, index + 1, false)
      const { value, seconds: taken } = await timed(() => readOurs(picture, asked))
      seconds += taken
      if (value.error !== undefined) {
        refused++
        continue
      }
      const truth = wordsOf(text)
      count += truth.length
      order += inOrder(truth, wordsOf(textOf(value.blocks)))
    }
    const pages = pagesOfEach * FEW_LINES
    const rate = count === 0 ? '' : percent(order / count)
    console.log(
      `| ${asked} | ${script} | ${pages} | ${refused} | ${rate} | ${(seconds / pages).toFixed(1)} |`,
    )
  }
}

async function readStrangers(pages: string): Promise<void> {
  await using readers = await openReaders('eng')
  const all = [
    {
      name: 'ours',
      read: async (picture: string) => timed(async () => readers.ours(await readFile(picture))),
    },
    {
      name: 'bare tesseract.js',
      read: async (picture: string) => timed(async () => readers.bare(await readFile(picture))),
    },
    ...findInstalledReaders().map(({ name, read }) => ({
      name,
      read: async (picture: string) => {
        const { text, seconds } = read(picture)
        return { value: text, seconds }
      },
    })),
  ]
  const sums = all.map(({ name, read }) => ({ read, score: new Score(name), errors: [0].slice(1) }))
  const known = await knownPagesIn(pages)
  for (const page of known)
    for (const { read, score, errors } of sums) {
      const { value, seconds } = await read(page.file)
      score.add(page, wordsOf(value), seconds)
      errors.push(errorRate(page.text, value))
    }
  const words = known.flatMap((page) => page.words)
  console.log(
    `\n${known.length} pages of \`${path.basename(pages)}\`, ${words.length} words with ${words.filter(isNumber).length} numbers:\n\n| reader | words found | in order | words read | numbers right | error rate | pages a minute |\n| - | - | - | - | - | - | - |`,
  )
  for (const { score, errors } of sums)
    console.log(
      `| ${score.name} | ${score.found} | ${score.order} | ${score.read} | ${score.numbers} | ${percent(mean(errors))} | ${((60 * known.length) / score.seconds).toFixed(1)} |`,
    )
}

if (folders.length > 0) for (const pages of folders) await readStrangers(pages)
else {
  await readWords()
  await readLayouts()
  await readShortPages()
}
await rm(folder, { recursive: true })
process.exit()
