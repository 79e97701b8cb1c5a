import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { tooManyPixels } from '../image/decode-heic.ts'
import { type GreyImage, MAX_PIXELS, openHeic } from '../image/open-image.ts'
import { MediaError } from '../media/media-error.ts'
import { believesLayer } from './believe-layer.ts'
import { findBarcodes, readFields } from './find-fields.ts'
import { findTables } from './find-tables.ts'
import { measurePrint } from './headings/measure-print.ts'
import type { ReadPage } from './layout.ts'
import { markHeadings } from './mark-headings.ts'
import { openPdf, type TextLayer } from './pdf.ts'
import type { PhotoReader } from './photo-reader/photo-reader.ts'
import { readUpright } from './read-upright.ts'
import { separateColumns } from './separate-columns.ts'
import { sniffDocument } from './sniff-document.ts'

/** How a document is read. */
export interface ReadingOptions {
  /** Whether pages are turned upright, by default, or are read as they lie. */
  readonly orientation?: 'auto' | 'as_is'
  /** Whether the text layer of a PDF is used: if its page shows the same, by default, whenever there is one, or never. */
  readonly textLayer?: 'auto' | 'use' | 'ignore'
}

/** A page of a document. */
export interface PageRequest extends ReadingOptions {
  readonly file: string
  /** From 0. */
  readonly page: number
  /** Codes of the language data, most important first. */
  readonly languages: readonly string[]
}

sharp.unblock({ operation: ['VipsForeignLoadTiff'] })

/** Below this size nothing is legible. */
const MIN_SIDE_PIXELS = 8

/**
 * Counts the pages of a document.
 *
 * @throws MediaError `unknown_type`, `damaged`, `protected`, `too_many_pages`
 */
export async function countPages(options: { file: string; maxPages: number }): Promise<{ pages: number }> {
  const bytes = await readFile(options.file)
  const pages = await pagesOf(bytes)
  if (pages > options.maxPages)
    throw new MediaError('too_many_pages', `has ${pages} pages, more than ${options.maxPages}`)
  if (pages === 0) throw new MediaError('damaged', 'has no pages')
  return { pages }
}

async function pagesOf(bytes: Buffer): Promise<number> {
  const type = sniffDocument(bytes)
  if (type === 'application/pdf') {
    using pdf = await openPdf(bytes)
    return pdf.pages
  }
  // Its size is checked before its pixels are decoded.
  if (type === 'image/heic') return 1
  return toMediaError(async () => {
    const {
      width,
      height,
      pages = 1,
      format,
    } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata()
    if (width * height > MAX_PIXELS) throw tooManyPixels(MAX_PIXELS)
    return format === 'tiff' ? pages : 1
  })
}

/**
 * Reads a page of a document.
 *
 * @param photoReader reads the pages that tesseract does not read with certainty
 * @throws MediaError `unknown_type`, `damaged`, `protected`, `too_many_pixels`, `too_small`
 */
export async function readPage(request: PageRequest, photoReader?: PhotoReader): Promise<ReadPage> {
  const { file, page, languages, textLayer = 'auto' } = request
  const bytes = await readFile(file)
  const read = (picture: GreyImage) =>
    readPicture(picture, { ...request, ...(photoReader && { photoReader }) })
  if (sniffDocument(bytes) !== 'application/pdf') return read(await openPicture(bytes, page))
  using pdf = await openPdf(bytes)
  using opened = pdf.openPage(page)
  const layer = textLayer === 'ignore' ? null : opened.readTextLayer({ ofScans: textLayer === 'use' })
  const picture = opened.render()
  if (layer === null || (textLayer === 'auto' && !(await believesLayer(picture, layer.blocks, languages))))
    return read(picture)
  const { width, height } = opened
  return { width, height, rotation: 0, source: 'text_layer', ...(await findMarks(picture, layer)) }
}

async function toMediaError<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof MediaError) throw error
    if (error instanceof Error && error.message.includes('pixel limit'))
      throw tooManyPixels(MAX_PIXELS, error)
    throw new MediaError('damaged', 'is damaged or incomplete', error)
  }
}

/** Opens a picture, upright per its EXIF orientation, on a white ground. */
const openPicture = (bytes: Buffer, page: number): Promise<GreyImage> =>
  toMediaError(async () => {
    const image =
      sniffDocument(bytes) === 'image/heic'
        ? await openHeic(bytes)
        : sharp(bytes, { page, limitInputPixels: MAX_PIXELS, failOn: 'truncated' }).autoOrient()
    const { data, info } = await image
      .flatten({ background: '#ffffff' })
      .toColourspace('b-w')
      .extractChannel(0)
      .raw()
      .toBuffer({ resolveWithObject: true })
    if (Math.min(info.width, info.height) < MIN_SIDE_PIXELS)
      throw new MediaError('too_small', `must be at least ${MIN_SIDE_PIXELS} pixels on each side`)
    return { data, width: info.width, height: info.height }
  })

async function readPicture(
  page: GreyImage,
  {
    languages,
    orientation,
    photoReader,
  }: Pick<PageRequest, 'languages' | 'orientation'> & { photoReader?: PhotoReader },
): Promise<ReadPage> {
  const upright = await readUpright(page, languages, {
    isTurned: orientation !== 'as_is',
    ...(photoReader && { photoReader }),
  })
  const { picture, rotation, error } = upright
  const { width, height } = picture
  const read = { width, height, rotation, source: 'recognition' } as const
  const blocks = separateColumns(upright.blocks)
  if (error !== undefined) return { ...read, blocks, barcodes: [], fields: {}, error }
  return { ...read, ...(await findMarks(picture, { blocks, styleOf: measurePrint(picture, blocks) })) }
}

async function findMarks(
  picture: GreyImage,
  { blocks, styleOf }: TextLayer,
): Promise<Pick<ReadPage, 'blocks' | 'tables' | 'barcodes' | 'fields'>> {
  const tables = findTables(blocks)
  const barcodes = await findBarcodes(picture)
  return {
    blocks: markHeadings(blocks, { height: picture.height, styleOf, tables }),
    ...(tables.length > 0 && { tables }),
    barcodes,
    fields: await readFields(picture, { blocks, barcodes }),
  }
}
