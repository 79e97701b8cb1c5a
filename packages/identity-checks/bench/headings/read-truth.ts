import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { init } from '@embedpdf/pdfium'
import type { Pdfium } from '../../src/ocr/pdf-style.ts'

export interface TrueHeading {
  readonly text: string
  /** From 1. */
  readonly level: number
}

/** Where it is written which lines of a document are headings. */
export interface Truth {
  readonly source: 'tags' | 'outline'
  /** By page. */
  readonly pages: readonly (readonly TrueHeading[])[]
  /** Letters of its title, and of all headings that its tags, outline or table of contents name, of whatever page. */
  readonly named: ReadonlySet<string>
}

const BUFFER_BYTES = 4096
/** Deeper elements are none of a document that people made. */
const MAX_DEPTH = 50

let loaded: Promise<Pdfium> | undefined

async function load(): Promise<Pdfium> {
  const file = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')
  const library = await init({ wasmBinary: Uint8Array.from(await readFile(file)).buffer })
  library.PDFiumExt_Init()
  return library
}

/** Reads the headings of a PDF from its tags (H, H1 to H6, Title); without any, from its outline (bookmarks). */
export async function readTruth(file: string, maxPages: number): Promise<Truth> {
  const library = await (loaded ??= load())
  const bytes = await readFile(file)
  const { malloc, free } = library.pdfium.wasmExports
  const [data, buffer] = [malloc(bytes.length), malloc(BUFFER_BYTES)]
  library.pdfium.HEAPU8.set(bytes, data)
  const document = library.FPDF_LoadMemDocument(data, bytes.length, '')
  try {
    const count = Math.min(maxPages, library.FPDF_GetPageCount(document))
    const tags = Array.from({ length: count }, (_, index) => readTags(library, document, index, buffer))
    const outline = readOutline(library, document, count, buffer)
    const isTagged = tags.some((headings) => headings.length > 0)
    return {
      source: isTagged ? 'tags' : 'outline',
      pages: isTagged ? tags : outline.pages,
      named: new Set([
        ...[...tags.flat(), ...outline.all].map(({ text }) => lettersOf(text)),
        ...readContents(library, document, count),
        lettersOf(readTitle(library, document, buffer)),
      ]),
    }
  } finally {
    library.FPDF_CloseDocument(document)
    free(buffer)
    free(data)
  }
}

function readTitle(library: Pdfium, document: number, buffer: number): string {
  const bytes = library.FPDF_GetMetaText(document, 'Title', buffer, BUFFER_BYTES)
  return bytes > BUFFER_BYTES ? '' : library.pdfium.UTF16ToString(buffer)
}

function readTags(library: Pdfium, document: number, index: number, buffer: number): TrueHeading[] {
  const page = library.FPDF_LoadPage(document, index)
  const tree = library.FPDF_StructTree_GetForPage(page)
  const found: { level: number; contents: number[] }[] = []
  function visit(element: number, depth: number, contents: number[] | undefined): void {
    if (element === 0 || depth > MAX_DEPTH) return
    const bytes = library.FPDF_StructElement_GetType(element, buffer, BUFFER_BYTES)
    const type = bytes > BUFFER_BYTES ? '' : library.pdfium.UTF16ToString(buffer)
    const [, level] = /^(?:H([1-6]?)|Title)$/.exec(type) ?? [null]
    let within = contents
    if (within === undefined && level !== undefined && type !== '') {
      within = []
      found.push({ level: Number(level) || 1, contents: within })
    }
    const children = library.FPDF_StructElement_CountChildren(element)
    for (let child = 0; child < children; child++) {
      const content = library.FPDF_StructElement_GetChildMarkedContentID(element, child)
      if (content >= 0) within?.push(content)
      visit(library.FPDF_StructElement_GetChildAtIndex(element, child), depth + 1, within)
    }
  }
  const roots = tree === 0 ? 0 : library.FPDF_StructTree_CountChildren(tree)
  for (let root = 0; root < roots; root++)
    visit(library.FPDF_StructTree_GetChildAtIndex(tree, root), 0, undefined)
  if (tree !== 0) library.FPDF_StructTree_Close(tree)
  const texts = found.length === 0 ? new Map<number, string>() : readMarkedContents(library, page)
  library.FPDF_ClosePage(page)
  return found
    .map(({ level, contents }) => ({
      level,
      text: contents.map((content) => texts.get(content) ?? '').join(' '),
    }))
    .filter(({ text }) => lettersOf(text) !== '')
}

/** Reads the text of each marked content of a page. */
function readMarkedContents(library: Pdfium, page: number): Map<number, string> {
  const texts = new Map<number, string>()
  const text = library.FPDFText_LoadPage(page)
  const count = library.FPDFText_CountChars(text)
  let last = -1
  for (let index = 0; index < count; index++) {
    const object = library.FPDFText_GetTextObject(text, index)
    const content = object === 0 ? last : library.FPDFPageObj_GetMarkedContentID(object)
    last = content
    const letter = String.fromCharCode(library.FPDFText_GetUnicode(text, index))
    texts.set(content, (texts.get(content) ?? '') + letter)
  }
  library.FPDFText_ClosePage(text)
  return texts
}

function readOutline(library: Pdfium, document: number, count: number, buffer: number) {
  const all: TrueHeading[] = []
  const pages = Array.from({ length: count }, (): TrueHeading[] => [])
  const texts = pages.map((_, index) => lettersOf(textOf(library, document, index)))
  function visit(parent: number, level: number): void {
    if (level > MAX_DEPTH) return
    for (
      let bookmark = library.FPDFBookmark_GetFirstChild(document, parent);
      bookmark !== 0;
      bookmark = library.FPDFBookmark_GetNextSibling(document, bookmark)
    ) {
      const bytes = library.FPDFBookmark_GetTitle(bookmark, buffer, BUFFER_BYTES)
      const text = bytes > BUFFER_BYTES ? '' : library.pdfium.UTF16ToString(buffer)
      const destination = library.FPDFBookmark_GetDest(document, bookmark)
      const page = destination === 0 ? -1 : library.FPDFDest_GetDestPageIndex(document, destination)
      const letters = lettersOf(text)
      all.push({ text, level })
      // A bookmark may have a title that is not on its page.
      if (letters !== '' && texts[page]?.includes(letters)) pages[page]?.push({ text, level })
      visit(bookmark, level + 1)
    }
  }
  visit(0, 1)
  return { pages, all }
}

/** A page of a table of contents has so many entries, which are so many of its lines. */
const CONTENTS = { entries: 5, share: 0.4 }

/** Reads the letters of the entries of the table of contents: texts that end with the number of a page. */
function readContents(library: Pdfium, document: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const lines = textOf(library, document, index)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    const entries = lines.flatMap((line) => {
      const [, text] = /^(.*?\p{L}.*?)[\s.\u200b…]+\d{1,3}$/u.exec(line) ?? []
      return text === undefined ? [] : [lettersOf(text)]
    })
    return entries.length >= CONTENTS.entries && entries.length >= lines.length * CONTENTS.share
      ? entries
      : []
  }).flat()
}

function textOf(library: Pdfium, document: number, index: number): string {
  const page = library.FPDF_LoadPage(document, index)
  const text = library.FPDFText_LoadPage(page)
  const letters = Array.from({ length: library.FPDFText_CountChars(text) }, (_, at) =>
    String.fromCharCode(library.FPDFText_GetUnicode(text, at)),
  )
  library.FPDFText_ClosePage(text)
  library.FPDF_ClosePage(page)
  return letters.join('')
}

/** Returns the letters and digits of a text, by which headings are compared. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
