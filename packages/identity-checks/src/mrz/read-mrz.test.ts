import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { thorough } from '@vaani/test-services/thorough'
import { describe, expect, test } from 'vitest'
import { type GreyImage, openImage, readGrey } from '../image/open-image.ts'
import { checkExpiry, checkMrz } from './check-mrz.ts'
import { hasGlareOnZone } from './find-glare.ts'
import { createGlyphReader } from './glyphs.ts'
import { findZone, isZoneInGlare, readMrz } from './read-mrz.ts'

const specimen = (name: string) => readFile(path.resolve(import.meta.dirname, '../../specimens', name))
const read = async (image: Sharp) => readMrz(await openImage(await image.jpeg({ quality: 80 }).toBuffer()))

const PASSPORT = [
  'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
  'L898902C36UTO7408122F3204153<<<<<<<<<<<<<<04',
]
const CARD = [
  'I<UTOL898902C36<<<<<<<<<<<<<<<',
  '7408122F3204153UTO<<<<<<<<<<<4',
  'ERIKSSON<<ANNA<MARIA<<<<<<<<<<',
]

const HARDSHIPS: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  none: (image) => image,
  'turned by 90 degrees': (image) => image.rotate(90),
  'upside down': (image) => image.rotate(180),
  'turned by 270 degrees': (image) => image.rotate(270),
  'tilted by 5 degrees': (image) => image.rotate(5, { background: '#555' }),
  blurred: (image) => image.blur(1.8),
  'half as large': (image) => image.resize({ width: 800 }),
  dark: (image) => image.modulate({ brightness: 0.4 }),
}

/** What makes each upright again. */
const TURNS: Readonly<Record<string, number>> = {
  'turned by 90 degrees': 270,
  'upside down': 180,
  'turned by 270 degrees': 90,
}

const hardships = Object.keys(HARDSHIPS)
// Documents that lie on their side are tried by `turned-documents.test.ts` as well.
const usual = ['upside down', 'tilted by 5 degrees']
describe.each([
  ['passport.jpg', PASSPORT, thorough({ usual, long: hardships })],
  ['card-back.jpg', CARD, thorough({ usual: ['none'], long: hardships })],
] as const)('%s', (name, lines, tried) => {
  test.each(tried)('is read exactly: %s', async (hardship) => {
    const make = HARDSHIPS[hardship]
    const reading = await read(make ? make(sharp(await specimen(name))) : sharp(await specimen(name)))
    expect(reading?.mrz).toMatchObject({ lines, valid: true })
    expect(reading?.confidence).toBeGreaterThan(0.9)
    expect(reading?.turnDegrees).toBe(TURNS[hardship] ?? 0)
  })
})

/** The front of a card, which has no zone, so that all of it is searched. */
const openSmallFront = async () =>
  openImage(
    await sharp(await specimen('card-front.jpg'))
      .resize({ width: 840 })
      .toBuffer(),
  )

test('reports a missing zone, and doubts one that cannot be read', async () => {
  const open = async (name: string) => openImage(await specimen(name))
  const front = await openSmallFront()
  expect((await checkMrz([front])).result).toMatchObject({
    outcome: 'warning',
    code: 'mrz_not_found',
  })
  const blurred = await checkMrz([await open('passport-blurred.jpg')])
  expect(blurred).toMatchObject({ result: { outcome: 'warning' }, read: null })
  const both = await checkMrz([front, await open('card-back.jpg')])
  expect(both).toMatchObject({ result: { outcome: 'passed', code: 'mrz_valid' }, read: { format: 'TD1' } })
})

const FIRST = 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<<'
const SECOND = 'L898902C36UTO7408122F3204153'
/** The lower halves of drawings by `scripts/draw-specimen.ts`, 700 pixels wide. */
const picture = async (name: string) => openImage(await readFile(path.join(import.meta.dirname, name)))

test.each([
  ['td2.jpg', 'TD2', [`I<UTO${FIRST}`, `${SECOND}<<<<<<<4`]],
  ['visa-a.jpg', 'MRV-A', [`V<UTO${FIRST}<<<<<<<<`, `${SECOND}${'<'.repeat(16)}`]],
  ['visa-b.jpg', 'MRV-B', [`V<UTO${FIRST}`, `${SECOND}<<<<<<<<`]],
  [
    'french-card.jpg',
    'FRA-ID',
    ['IDFRAERIKSSON<<<<<<<<<<<<<<<<<923011', '8806923102858ANNA<<MARIA<<<7408122F5'],
  ],
  // The far edge is a tenth shorter, so that the pitch on the left is a quarter wider than on the right.
  ['keystone.jpg', 'TD3', PASSPORT],
])('%s is read exactly', async (name, format, lines) => {
  const { result, read: mrz } = await checkMrz([await picture(name)])
  expect(mrz).toMatchObject({ format, lines, valid: true })
  expect(result).toMatchObject({ outcome: 'passed', code: 'mrz_valid', evidence: { format } })
})

test('says that light covers a part of the zone, and only then', async () => {
  const { result, read: mrz } = await checkMrz([await picture('glare.jpg')])
  expect(result).toMatchObject({ outcome: 'warning', code: 'mrz_glare', score: 0 })
  expect(mrz).toBeNull()
  expect(await isZoneInGlare(await picture('keystone.jpg'))).toBe(false)
  expect(await isZoneInGlare(await openSmallFront())).toBe(false)
})

const isThorough = thorough({ usual: false, long: true })

test.runIf(isThorough)('says nothing of light where lines in the same font end on white paper', async () => {
  const part = await sharp(await specimen('passport.jpg'))
    .rotate(-1.2, { background: '#fff' })
    .extract({ left: 150, top: 930, width: 500, height: 230 })
    .linear(1.4, 20)
    .toBuffer()
  const page = sharp({ create: { width: 1654, height: 2339, channels: 3, background: '#fff' } })
  const image = await openImage(
    await page
      .composite([{ input: part, left: 200, top: 600 }])
      .jpeg()
      .toBuffer(),
  )
  expect((await checkMrz([image])).result).toMatchObject({ code: 'mrz_not_found' })
})

test('does not pass a zone that no document has, however certain each character is', async () => {
  // A passport drawn with a run of letters in the name.
  const image = await openImage(await readFile(path.join(import.meta.dirname, 'odd-zone.jpg')))
  const { result, read: odd } = await checkMrz([image])
  expect(result).toMatchObject({
    outcome: 'warning',
    evidence: { oddity: 'run_of_letters', wrong_check_digits: 0 },
  })
  expect(result.evidence['confidence']).toBeGreaterThan(0.95)
  expect(odd).toBeNull()
})

test('a document expires on the day after its expiry date', async () => {
  const { read: mrz } = await checkMrz([await openImage(await specimen('passport.jpg'))])
  expect(checkExpiry(mrz, '2032-04-15')).toMatchObject({ outcome: 'passed' })
  expect(checkExpiry(mrz, '2032-04-16')).toMatchObject({ outcome: 'failed', code: 'document_expired' })
  expect(checkExpiry(null, '2032-04-16')).toMatchObject({ outcome: 'not_run' })
})

/** Draws rows of random letters of three strokes each. */
function drawText({ rows, rowHeight }: { rows: number; rowHeight: number }): GreyImage {
  const [width, height, margin] = [2000, 2600, 120]
  const data = new Uint8Array(width * height).fill(245)
  const [letterHeight, letterWidth] = [Math.round(rowHeight * 0.5), Math.round(rowHeight * 0.4)]
  let seed = 7
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
  const fill = (left: number, top: number, right: number, bottom: number) => {
    for (let y = top; y < bottom; y++) data.fill(25, y * width + left, y * width + right)
  }
  for (let row = 0; row < rows; row++) {
    const top = margin + row * rowHeight
    for (let left = margin; left < width - margin - letterWidth; left += letterWidth + 4) {
      for (let stroke = 0; stroke < 2; stroke++) {
        const x = left + Math.floor(random() * (letterWidth - 6))
        fill(x, top, x + 5, top + letterHeight)
      }
      const y = top + Math.floor(random() * (letterHeight - 6))
      fill(left, y, left + letterWidth, y + 5)
    }
  }
  return { data, width, height }
}

test('bounds the cells read, and gives up early on a page of text', async () => {
  const classify = createGlyphReader()
  const countCells = (picture: GreyImage) => {
    let cells = 0
    findZone(picture, (cell) => {
      cells++
      return classify(cell)
    })
    return cells
  }
  const passport = countCells(await readGrey(await openImage(await specimen('passport.jpg')), 2400))
  expect(passport).toBeLessThan(2500)
  expect(countCells(drawText({ rows: 40, rowHeight: 58 }))).toBeLessThan(8000)
  if (!isThorough) return
  // Light burns out a strip of the page, as wide as its rows.
  const page = drawText({ rows: 40, rowHeight: 58 })
  for (let y = 0; y < page.height; y++) page.data.fill(255, y * page.width + 900, y * page.width + 1300)
  let cells = 0
  const counted = (cell: Float32Array) => {
    cells++
    return classify(cell)
  }
  expect(hasGlareOnZone(page, counted)).toBe(false)
  expect(cells).toBeLessThan(20_000)
  // Too few rows for a page of text, so every orientation and tilt is tried.
  expect(countCells(drawText({ rows: 6, rowHeight: 96 }))).toBeLessThan(45_000)
})
