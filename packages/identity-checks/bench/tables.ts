/**
 * `pnpm bench tables`: how many tables of documents that strangers made are found, and how often a table is found where there is none. The
 * documents are those of the ICDAR 2013 table competition: reports of the European Union and of agencies of the United States, with the cells
 * of their tables written down by people. Nothing of them is in this repository; they can be had from `tabulapdf/tabula-java`, in the folder
 * `src/test/resources/technology/tabula/icdar2013-dataset`.
 *
 * `pnpm bench tables DIR...` takes folders with `NAME.pdf` beside `NAME-str.xml`. `--pixels 4` also reads every fourth document from its
 * pixels, as if it were a scan, which takes some seconds a page.
 *
 * As in the competition, a table counts by its relations: which cell is the next to the right of another, and which is the next below. Both
 * cells must be right, by their letters and digits; empty cells are skipped. Recall is the share of the true relations that are found, and
 * precision the share of the found ones that are true. A document of which nothing is found has a precision of 0. The thresholds were chosen
 * by the European documents only. The American ones were looked at in sum only, and their sum decided between some rules.
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { findTables } from '../src/ocr/find-tables.ts'
import type { PageTable } from '../src/ocr/layout.ts'
import { openPdf } from '../src/ocr/pdf.ts'
import { readPage } from '../src/ocr/read-page.ts'
import { readTruth, type TrueTable } from './tables/read-truth.ts'
import { cellsOf, countShared, relationsOf } from './tables/relations.ts'

const {
  values: { pixels },
  positionals: folders,
} = parseArgs({ options: { pixels: { type: 'string' } }, allowPositionals: true })

interface Counts {
  /** Relations that are true, found, and both. */
  true: number
  found: number
  right: number
  /** Pages without a table, and those of them on which one was found. */
  clean: number
  false: number
}

interface Read {
  readonly pages: readonly (readonly PageTable[])[]
  /** Of the processor, to find the tables or to read the pages. */
  readonly ms: number
}

const processorMs = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000

async function readLayer(file: string): Promise<Read> {
  using pdf = await openPdf(await readFile(file))
  let ms = 0
  const pages = Array.from({ length: pdf.pages }, (_, index) => {
    using page = pdf.openPage(index)
    const blocks = page.readTextLayer({ ofScans: true })?.blocks ?? []
    const start = processorMs()
    const tables = findTables(blocks)
    ms += processorMs() - start
    return tables
  })
  return { pages, ms }
}

async function readPixels(file: string): Promise<Read> {
  using pdf = await openPdf(await readFile(file))
  const start = processorMs()
  const pages: PageTable[][] = []
  for (let page = 0; page < pdf.pages; page++)
    pages.push((await readPage({ file, page, languages: ['eng'], textLayer: 'ignore' })).tables ?? [])
  return { pages, ms: processorMs() - start }
}

function compare(pages: Read['pages'], truth: readonly TrueTable[]): Counts {
  const counts = { true: 0, found: 0, right: 0, clean: 0, false: 0 }
  for (const [index, tables] of pages.entries()) {
    const right = truth.filter(({ page }) => page === index + 1).flatMap(({ cells }) => relationsOf(cells))
    const found = tables.flatMap((table) => relationsOf(cellsOf(table)))
    counts.true += right.length
    counts.found += found.length
    counts.right += countShared(right, found)
    if (right.length > 0) continue
    counts.clean++
    if (tables.length > 0) counts.false++
  }
  return counts
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const recallOf = (counts: Counts): number => counts.right / counts.true
const precisionOf = (counts: Counts): number => (counts.found === 0 ? 0 : counts.right / counts.found)
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

async function measure(folder: string, read: (file: string) => Promise<Read>, each: number) {
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.pdf'))
    .toSorted()
    .filter((_, index) => index % each === 0)
  const documents: Counts[] = []
  let [tables, pages, ms] = [0, 0, 0]
  for (const name of names) {
    const file = path.join(folder, name)
    const truth = readTruth(await readFile(file.replace(/\.pdf$/, '-str.xml'), 'utf8'))
    const result = await read(file)
    documents.push(compare(result.pages, truth))
    tables += truth.length
    pages += result.pages.length
    ms += result.ms
  }
  const sum = (of: (counts: Counts) => number): number =>
    documents.reduce((total, counts) => total + of(counts), 0)
  const all: Counts = {
    true: sum((counts) => counts.true),
    found: sum((counts) => counts.found),
    right: sum((counts) => counts.right),
    clean: sum((counts) => counts.clean),
    false: sum((counts) => counts.false),
  }
  return [
    path.basename(folder),
    documents.length,
    tables,
    all.true,
    percent(recallOf(all)),
    percent(precisionOf(all)),
    percent(mean(documents.map(recallOf))),
    percent(mean(documents.map(precisionOf))),
    `${all.false} of ${all.clean}`,
    (ms / pages).toFixed(ms > 1000 * pages ? 0 : 1),
  ]
}

const HEADER = [
  'documents',
  'number',
  'tables',
  'relations',
  'recall',
  'precision',
  'recall, mean of documents',
  'precision, mean of documents',
  'pages without a table that got one',
  'ms a page',
]

async function print(title: string, read: (file: string) => Promise<Read>, each: number): Promise<void> {
  console.log(`${title}\n`)
  for (const row of [HEADER, HEADER.map(() => '-')]) console.log(`| ${row.join(' | ')} |`)
  for (const folder of folders) console.log(`| ${(await measure(folder, read, each)).join(' | ')} |`)
  console.log()
}

await print(
  'From text layers, however much of a page is a picture. The time is what finding tables takes:',
  readLayer,
  1,
)
if (pixels !== undefined)
  await print(
    `From pixels, of each document in ${pixels}. A cell that is misread counts as wrong, in up to four relations. The time is what reading takes:`,
    readPixels,
    Number(pixels),
  )
