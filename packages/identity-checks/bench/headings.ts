/**
 * `pnpm bench headings`: how many headings of documents that strangers made are found, and how many are found that are none. Nothing of the
 * documents is in this repository.
 *
 * `pnpm bench headings DIR...` takes folders of PDFs, and looks at the first 20 pages of each. `--pixels 1` also reads one page of each, the
 * first with a heading, from its pixels, as if it were a scan. `--none DIR`, which may be repeated, takes PDFs and pictures without
 * headings, such as invoices, forms and receipts.
 *
 * Which lines are headings is what the document says itself: its tags (H1 to H6), as programs for word processing write them; if it has none,
 * its outline (bookmarks), as LaTeX writes it. Recall is the share of these that are found on their page, each as one block, with at
 * most 15 % of the letters different; numbers before them do not count. Many documents name fewer headings than a reader sees: the title of a
 * report, its contents, or lines in bold print that were not tagged. So the share of the found ones that are named by the tags, the
 * outline, the table of contents or the title of the document is the least that precision can be. Of pairs of headings that were found
 * and that are of two levels in a document, `levels` is the share with the right order, the same level, and the wrong order.
 *
 * The thresholds were chosen by the documents of `choose`; those of `held-out` were looked at in sum only. They are PDFs of these
 * repositories on GitHub: reports, theses, papers, specifications, essays, manuals, brochures, slides and forms.
 *
 * - `choose/tagged`: 10x-Slackers/csc1103, 918particle/INTD255 (4), Anukriti12/PDF-Accessibility-Benchmark (3),
 *   Bates-ECON456-Thesis-Seminar/thesis-course-materials, cncf/tag-security, DACSS/DACSS_601_02_Su22, docling-project/docling,
 *   GSA/fedramp-automation (3), iannjari/covid-19-cases-and-mortality-forecaster (3), jsvine/pdfplumber (2), mozilla/pdf.js (3),
 *   ocrmypdf/OCRmyPDF, opendataloader-project/opendataloader-pdf (5), OWASP/ASVS (2), sivakumar-mahalingam/fastmrz (2)
 * - `choose/outlined`: 2016-ucdavis-sts98/notes (2), 37stu37/rnc2_project, Abelian-Analysis/Carvana, AKTECH98/GHN-LM, BEE4850/spring2024,
 *   DoubangoTelecom/ultimateMRZ-SDK, GaloisInc/daedalus, jsvine/pdfplumber, opendataloader-project/opendataloader-pdf,
 *   Unstructured-IO/unstructured
 * - `held-out/tagged`: Abdulrasheed1729/genivf, Ahmad-Waseem/ArenaGo, Anukriti12/PDF-Accessibility-Benchmark (3),
 *   apeled/capstone-boeing-2025 (2), CMP681-InformationRetrieval/URL-Crawler, CpuKnows/fantasy-nlg, fabihanuva/ChefNextDoor (2),
 *   jsvine/pdfplumber, mozilla/pdf.js, MWASoftware/IndySecOpenSSL, opendataloader-project/opendataloader-pdf (2)
 * - `held-out/outlined`: 14-Hari-14/Media-Bias-Analyser, 3DGI/wijklabels, 918particle/INTD255, ad-kat/BBR-congestion-control-study (2),
 *   cncf/tag-security, Coreum-Labs/whitepaper, CSC792-SDSMT-DERP/DERP-Documentation, docling-project/docling, irecsys/MOPO-LSI (2),
 *   opendataloader-project/opendataloader-pdf, OWASP/ASVS, SullivanC19/conv-bvae-codec
 * - `held-out/none`: invoices and forms of Abinaya23/ocr_extraction, ABNjain/pdf-make, AlexAltea/invoice, invoice-x/invoice2data (5),
 *   mozilla/pdf.js (2); `held-out/receipts`: every 31st of ICDAR 2019 SROIE from 040 on, without eight that are very small or very large
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { findTables } from '../src/ocr/find-tables.ts'
import type { TextBlock } from '../src/ocr/layout.ts'
import { markHeadings } from '../src/ocr/mark-headings.ts'
import { openPdf } from '../src/ocr/pdf.ts'
import { readPage } from '../src/ocr/read-page.ts'
import { countOrder, type FoundHeading, isNamed, pair, type Pair } from './headings/compare.ts'
import { readTruth, type Truth } from './headings/read-truth.ts'

const {
  values: { pixels, none = [] },
  positionals: folders,
} = parseArgs({
  options: { pixels: { type: 'string' }, none: { type: 'string', multiple: true } },
  allowPositionals: true,
})
const MAX_PAGES = 20

const processorMs = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000
const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((part / whole) * 100).toFixed(1)} %`
const nameOf = (folder: string): string =>
  path.join(path.basename(path.dirname(folder)), path.basename(folder))
const headingsOf = (blocks: readonly TextBlock[]): FoundHeading[] =>
  blocks.flatMap(({ text, heading_level: level }) => (level === undefined ? [] : [{ text, level }]))
const filesOf = async (folder: string, type: RegExp): Promise<string[]> =>
  (await readdir(folder))
    .filter((name) => type.test(name))
    .toSorted()
    .map((name) => path.join(folder, name))

/** Finds the headings of some pages of a file, from 0. */
type Read = (file: string, pages: readonly number[]) => Promise<readonly (readonly FoundHeading[])[]>

let findingMs = 0

const readLayer: Read = async (file, pages) => {
  using pdf = await openPdf(await readFile(file))
  return pages.map((index) => {
    using page = pdf.openPage(index)
    const layer = page.readTextLayer({ ofScans: true })
    if (layer === null) return []
    const tables = findTables(layer.blocks)
    const start = processorMs()
    const marked = markHeadings(layer.blocks, { height: page.height, styleOf: layer.styleOf, tables })
    findingMs += processorMs() - start
    return headingsOf(marked)
  })
}

const readPixels: Read = async (file, pages) => {
  const found: FoundHeading[][] = []
  for (const page of pages)
    found.push(headingsOf((await readPage({ file, page, languages: ['eng'], textLayer: 'ignore' })).blocks))
  return found
}

async function measure(folder: string, read: Read, pagesOf: (truth: Truth) => number[]) {
  const sum = { documents: 0, pages: 0, true: 0, found: 0, right: 0, named: 0 }
  const order = { right: 0, same: 0, wrong: 0 }
  for (const file of await filesOf(folder, /\.pdf$/)) {
    const truth = await readTruth(file, MAX_PAGES)
    const pages = pagesOf(truth)
    const pairs: Pair[] = []
    for (const [index, found] of (await read(file, pages)).entries()) {
      const headings = truth.pages[pages[index] ?? -1] ?? []
      const onPage = pair(headings, found)
      sum.true += headings.length
      sum.found += found.length
      sum.named += found.filter(
        (heading) => onPage.some((one) => one.found === heading) || isNamed(heading, truth.named),
      ).length
      pairs.push(...onPage)
    }
    sum.documents++
    sum.pages += pages.length
    sum.right += pairs.length
    const { right, same, wrong } = countOrder(pairs)
    order.right += right
    order.same += same
    order.wrong += wrong
  }
  const ordered = order.right + order.same + order.wrong
  return {
    pages: sum.pages,
    cells: [
      nameOf(folder),
      sum.documents,
      sum.pages,
      sum.true,
      percent(sum.right, sum.true),
      sum.found,
      percent(sum.named, sum.found),
      [order.right, order.same, order.wrong].map((count) => percent(count, ordered)).join(', '),
    ],
  }
}

const HEADER = ['documents', 'number', 'pages', 'headings', 'recall', 'found', 'of which are named', 'levels']

function print(title: string, rows: readonly (readonly (string | number)[])[]): void {
  console.log(`${title}\n`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
  console.log()
}

async function compare(title: string, read: Read, pagesOf: (truth: Truth) => number[]): Promise<void> {
  const measured = []
  for (const folder of folders) measured.push(await measure(folder, read, pagesOf))
  print(title, [HEADER, HEADER.map(() => '-'), ...measured.map(({ cells }) => cells)])
  const pages = measured.reduce((sum, one) => sum + one.pages, 0)
  if (findingMs > 0) console.log(`Finding them takes ${(findingMs / pages).toFixed(1)} ms a page.\n`)
  findingMs = 0
}

/** Counts what is found where there are no headings: in text layers, and in pictures from their pixels. */
async function measureNone(folder: string) {
  const sum = { files: 0, pages: 0, withHeadings: 0, headings: 0 }
  for (const file of await filesOf(folder, /\.(?:pdf|jpe?g|png|tiff?)$/)) {
    const pages = file.endsWith('.pdf')
      ? (await readTruth(file, MAX_PAGES)).pages.map((_, index) => index)
      : [0]
    const read = file.endsWith('.pdf') ? readLayer : readPixels
    for (const found of await read(file, pages)) {
      sum.pages++
      sum.headings += found.length
      if (found.length > 0) sum.withHeadings++
    }
    sum.files++
  }
  return [nameOf(folder), sum.files, sum.pages, sum.withHeadings, sum.headings]
}

if (folders.length > 0)
  await compare('From text layers, however much of a page is a picture:', readLayer, ({ pages }) =>
    pages.map((_, index) => index),
  )
if (pixels !== undefined)
  await compare('From pixels, in English whatever the language:', readPixels, ({ pages }) =>
    pages.flatMap((headings, index) => (headings.length > 0 ? [index] : [])).slice(0, Number(pixels)),
  )
if (none.length > 0) {
  const header = ['documents', 'number', 'pages', 'pages with a heading', 'headings']
  const rows = []
  for (const folder of none) rows.push(await measureNone(folder))
  print('Invoices, forms and receipts. Some have a title, which is counted as well:', [
    header,
    header.map(() => '-'),
    ...rows,
  ])
}
