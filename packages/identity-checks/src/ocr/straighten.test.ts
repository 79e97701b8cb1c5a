import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createRandom } from '../../scripts/random.ts'
import type { GreyImage } from '../image/open-image.ts'
import { findLineDirection } from './straighten.ts'

/** Draws a card with lines of words in an ink, tilted on a table. */
async function card({ tilt, ink, table }: { tilt: number; ink: number; table: number }): Promise<GreyImage> {
  const [width, height] = [1000, 640]
  const data = Buffer.alloc(width * height, 230)
  const random = createRandom(7)
  for (let top = 60; top < height - 60; top += 60)
    // Letters and gaps differ, so that they do not stand in columns.
    for (let x = 60 + random() * 40; x < width - 80; x += 9 + random() * 12) {
      const right = x + 5 + random() * 4
      for (let y = top + random() * 6; y < top + 22; y++)
        data.fill(ink, Math.floor(y) * width + Math.floor(x), Math.floor(y) * width + Math.floor(right))
    }
  const background = { r: table, g: table, b: table }
  const turned = await sharp(data, { raw: { width, height, channels: 1 } })
    .rotate(tilt, { background })
    .extend({ top: 60, bottom: 60, left: 60, right: 60, background })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data: turned.data, width: turned.info.width, height: turned.info.height }
}

test.each([20, 84, 160, 255])('the lines of a card on a table of brightness %s are found', async (table) => {
  for (const tilt of [-9, -5, 0, 3, 7])
    for (const ink of [20, 150]) {
      const found = await findLineDirection(await card({ tilt, ink, table }))
      expect([table, tilt, ink, found.axis]).toEqual([table, tilt, ink, 'horizontal'])
      expect(found.tilt + tilt).toBeCloseTo(0, 0)
    }
})

/** Draws a long receipt: a name and a price a line, whose edges stand one below the other. */
function receipt(): GreyImage {
  const [width, height] = [500, 1600]
  const data = Buffer.alloc(width * height, 240)
  const random = createRandom(7)
  const draw = (left: number, top: number) => {
    for (let y = top + Math.floor(random() * 6); y < top + 24; y++)
      data.fill(30, y * width + left, y * width + left + 8)
  }
  for (let top = 40; top < height - 40; top += 40) {
    for (let x = 60; x < 200 + random() * 120; x += 10 + random() * 7) draw(Math.floor(x), top)
    for (let x = 430; x > 390 - random() * 40; x -= 10 + random() * 7) draw(Math.floor(x), top)
  }
  return { data, width, height }
}

test('the columns of a receipt are not taken for its lines', async () => {
  expect(await findLineDirection(receipt())).toEqual({ axis: 'horizontal', isSure: true, tilt: 0 })
})

test('the strokes of a few letters, which stand in columns, are not taken for lines', async () => {
  const [width, height] = [280, 120]
  const data = Buffer.alloc(width * height, 255)
  for (const left of [60, 76, 108, 122, 136, 156, 170])
    for (let y = 40; y < 80; y++) data.fill(0, y * width + left, y * width + left + 5)
  expect(await findLineDirection({ data, width, height })).toEqual({
    axis: 'horizontal',
    isSure: false,
    tilt: 0,
  })
})
