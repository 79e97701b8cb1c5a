import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { init } from '@embedpdf/pdfium'
import type { GreyImage } from '../image/open-image.ts'
import { MediaError } from '../media/media-error.ts'
import type { PrintStyle, StyleOf } from './headings/print-style.ts'
import { boxAround, type TextBlock, type TextBox, type TextWord, toBlock, toLine } from './layout.ts'
import { type Pdfium, StyleReader } from './pdf-style.ts'

/** An open PDF. Dispose of it, because it lies in the memory of WebAssembly. */
export interface Pdf extends Disposable {
  readonly pages: number
  /** @throws MediaError `damaged` */
  openPage(index: number): PdfPage
}

/** A page with its rotation applied, at the resolution in which it is read. */
export interface PdfPage extends Disposable {
  readonly width: number
  readonly height: number
  /** Returns the text layer; null if there is none, or if most of the page is a picture, such as a scan. */
  readTextLayer(options: { ofScans: boolean }): TextLayer | null
  render(): GreyImage
}

/** The text of a page, and how it is printed. */
export interface TextLayer {
  readonly blocks: TextBlock[]
  readonly styleOf: StyleOf
}

/** Resolution for which tesseract is trained. */
const PIXELS_PER_POINT = 300 / 72
/** A4 has 8.7 million. Larger pages are rendered in a lower resolution. */
const MAX_PIXELS = 10_000_000
/** Most characters and objects that are read of a page, to bound the time. A full page of a newspaper has 30,000. */
const MAX_CHARACTERS = 100_000
const MAX_OBJECTS = 20_000
/** A picture of this share of the page is taken for a scan, whose hidden text somebody else recognized. */
const SCAN_SHARE = 0.5
/** Share of characters without a meaning from which the text layer is useless. */
const MAX_UNMAPPED = 0.1

/** From fpdfview.h and fpdf_edit.h. */
const ERROR_PASSWORD = 4
const ERROR_SECURITY = 5
const BITMAP_GREY = 1
const RENDER_ANNOTATIONS = 0x01
const RENDER_GREY = 0x08
const IMAGE_OBJECT = 3
const WHITE = 0xff_ff_ff_ff
const DOUBLE_BYTES = 8

let loaded: Promise<Pdfium> | undefined

/** Loads the WebAssembly file, because the library would otherwise fetch it from the network. */
async function load(): Promise<Pdfium> {
  const file = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')
  const { buffer: wasmBinary } = Uint8Array.from(await readFile(file))
  const library = await init({ wasmBinary })
  library.PDFiumExt_Init()
  return library
}

/**
 * Opens a PDF.
 *
 * @throws MediaError `protected`, `damaged`
 */
export async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  const library = await (loaded ??= load())
  const { wasmExports: memory } = library.pdfium
  const data = memory.malloc(bytes.length)
  library.pdfium.HEAPU8.set(bytes, data)
  const document = library.FPDF_LoadMemDocument(data, bytes.length, '')
  if (document === 0) {
    const error = library.FPDF_GetLastError()
    memory.free(data)
    throw error === ERROR_PASSWORD || error === ERROR_SECURITY
      ? new MediaError('protected', 'is a PDF protected by a password')
      : new MediaError('damaged', 'is damaged or incomplete')
  }
  return {
    pages: library.FPDF_GetPageCount(document),
    openPage: (index) => openPage(library, document, index),
    [Symbol.dispose]() {
      library.FPDF_CloseDocument(document)
      memory.free(data)
    },
  }
}

function openPage(library: Pdfium, document: number, index: number): PdfPage {
  const page = library.FPDF_LoadPage(document, index)
  if (page === 0) throw new MediaError('damaged', `has a page ${index + 1} that cannot be opened`)
  const [points, lines] = [library.FPDF_GetPageWidthF(page), library.FPDF_GetPageHeightF(page)]
  const scale = Math.min(PIXELS_PER_POINT, Math.sqrt(MAX_PIXELS / (points * lines)))
  const width = Math.max(1, Math.round(points * scale))
  const height = Math.max(1, Math.round(lines * scale))
  const size = { width, height }
  return {
    ...size,
    readTextLayer: ({ ofScans }) =>
      !ofScans && isScan(library, page, points * lines) ? null : readText(library, page, size),
    render: () => render(library, page, size),
    [Symbol.dispose]: () => library.FPDF_ClosePage(page),
  }
}

/** Allocates numbers that the library writes to. */
function createNumbers({ pdfium }: Pdfium, count: number) {
  const pointers = Array.from({ length: count }, () => pdfium.wasmExports.malloc(DOUBLE_BYTES))
  return {
    pointers,
    read: (type: 'double' | 'float' | 'i32') => pointers.map((pointer) => pdfium.getValue(pointer, type)),
    [Symbol.dispose]() {
      for (const pointer of pointers) pdfium.wasmExports.free(pointer)
    },
  }
}

function isScan(library: Pdfium, page: number, area: number): boolean {
  using bounds = createNumbers(library, 4)
  const [left = 0, bottom = 0, right = 0, top = 0] = bounds.pointers
  const count = Math.min(MAX_OBJECTS, library.FPDFPage_CountObjects(page))
  let covered = 0
  for (let index = 0; index < count; index++) {
    const object = library.FPDFPage_GetObject(page, index)
    if (library.FPDFPageObj_GetType(object) !== IMAGE_OBJECT) continue
    if (!library.FPDFPageObj_GetBounds(object, left, bottom, right, top)) continue
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = bounds.read('float')
    covered += (x2 - x1) * (y2 - y1)
  }
  return covered > area * SCAN_SHARE
}

function readText(
  library: Pdfium,
  page: number,
  { width, height }: { width: number; height: number },
): TextLayer | null {
  const text = library.FPDFText_LoadPage(page)
  if (text === 0) return null
  using bounds = createNumbers(library, 4)
  using place = createNumbers(library, 2)
  using styles = new StyleReader(library, text, height / library.FPDF_GetPageHeightF(page))
  const [left = 0, right = 0, bottom = 0, top = 0] = bounds.pointers
  const [deviceX = 0, deviceY = 0] = place.pointers

  const toPixels = (x: number, y: number): [x: number, y: number] => {
    library.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, deviceX, deviceY)
    const [pixelX = 0, pixelY = 0] = place.read('i32')
    return [pixelX, pixelY]
  }

  function boxOf(index: number): TextBox | null {
    if (!library.FPDFText_GetCharBox(text, index, left, right, bottom, top)) return null
    const [x1 = 0, x2 = 0, y1 = 0, y2 = 0] = bounds.read('double')
    const [[ax, ay], [bx, by]] = [toPixels(x1, y1), toPixels(x2, y2)]
    return { x: Math.min(ax, bx), y: Math.min(ay, by), width: Math.abs(ax - bx), height: Math.abs(ay - by) }
  }

  try {
    const count = Math.min(MAX_CHARACTERS, library.FPDFText_CountChars(text))
    const characters: PlacedCharacter[] = []
    let unmapped = 0
    for (let index = 0; index < count; index++) {
      const code = library.FPDFText_GetUnicode(text, index)
      if (code === 0 || code === 0xff_fe || library.FPDFText_HasUnicodeMapError(text, index) === 1) unmapped++
      else
        characters.push({
          text: String.fromCharCode(code),
          box: boxOf(index),
          style: styles.styleOf(index),
        })
    }
    const layer = toBlocks(characters)
    return layer.blocks.length === 0 || unmapped > count * MAX_UNMAPPED ? null : layer
  } finally {
    library.FPDFText_ClosePage(text)
  }
}

/** A UTF-16 unit. White space that the library adds has no box. */
export interface PlacedCharacter {
  readonly text: string
  readonly box: TextBox | null
  readonly style?: PrintStyle | null
}

/** Two lines belong to different blocks if their distance is more than this many line heights. */
const BLOCK_GAP = 1.2

/** Makes words, lines and blocks of the characters of a text layer, which is in reading order. */
export function toBlocks(characters: readonly PlacedCharacter[]): TextLayer {
  const lines: TextWord[][] = [[]]
  const styles = new Map<TextWord, PrintStyle>()
  let word: PlacedCharacter[] = []
  const endWord = () => {
    const boxes = word.map(({ box }) => box).filter((box) => box !== null)
    if (boxes.length > 0) {
      const text = word.map((character) => character.text).join('')
      const placed = { text: text.toWellFormed(), confidence: 1, box: boxAround(boxes) }
      lines.at(-1)?.push(placed)
      const style = word.find((character) => character.style)?.style
      if (style) styles.set(placed, style)
    }
    word = []
  }
  for (const character of characters) {
    if (/\s/.test(character.text)) endWord()
    else word.push(character)
    if (character.text === '\n' && lines.at(-1)?.length !== 0) lines.push([])
  }
  endWord()
  const blocks: ReturnType<typeof toLine>[][] = []
  for (const line of lines.filter(({ length }) => length > 0).map(toLine)) {
    const block = blocks.at(-1)
    const above = block?.at(-1)
    if (block !== undefined && above !== undefined && isBelow(line.box, above.box)) block.push(line)
    else blocks.push([line])
  }
  return { blocks: blocks.map(toBlock), styleOf: (placed) => styles.get(placed) }
}

function isBelow(line: TextBox, above: TextBox): boolean {
  const gap = line.y - (above.y + above.height)
  const tallest = Math.max(line.height, above.height)
  const overlaps = line.x < above.x + above.width && above.x < line.x + line.width
  return overlaps && gap > -tallest && gap < tallest * BLOCK_GAP
}

function render(library: Pdfium, page: number, size: { width: number; height: number }): GreyImage {
  const { width, height } = size
  const bitmap = library.FPDFBitmap_CreateEx(width, height, BITMAP_GREY, 0, 0)
  if (bitmap === 0) throw new MediaError('damaged', 'has a page that is too complex to be drawn')
  try {
    library.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
    library.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, RENDER_ANNOTATIONS | RENDER_GREY)
    const stride = library.FPDFBitmap_GetStride(bitmap)
    const start = library.FPDFBitmap_GetBuffer(bitmap)
    const data = new Uint8Array(width * height)
    const { HEAPU8: heap } = library.pdfium
    for (let row = 0; row < height; row++)
      data.set(heap.subarray(start + row * stride, start + row * stride + width), row * width)
    return { data, width, height }
  } finally {
    library.FPDFBitmap_Destroy(bitmap)
  }
}
