import { expect, test } from 'vitest'
import { createRandom } from '../../scripts/random.ts'
import type { GreyImage } from '../image/open-image.ts'
import { hasColumns } from './columns.ts'

const [WIDTH, HEIGHT] = [1200, 1600]
const LINE_PIXELS = 44

/** A line of words, from a place to another. */
interface Line {
  from: number
  to: number
  y: number
}

/** Draws lines as words of letters, black on white. */
function draw(lines: readonly Line[]): GreyImage {
  const data = Buffer.alloc(WIDTH * HEIGHT, 250)
  const random = createRandom(11)
  for (const { from, to, y } of lines) {
    let space = 40 + random() * 60
    for (let x = from; x < to - 14; x += 16) {
      // Ends of words.
      if ((space -= 16) < 0) {
        space = 40 + random() * 100
        continue
      }
      const right = Math.min(to, x + 9 + random() * 4)
      for (let row = y + random() * 6; row < y + 24; row++)
        data.fill(20, Math.floor(row) * WIDTH + Math.floor(x), Math.floor(row) * WIDTH + Math.floor(right))
    }
  }
  return { data, width: WIDTH, height: HEIGHT }
}

const random = createRandom(3)
/** Fills a column, with an incomplete line at the end of each paragraph. */
const prose = (from: number, to: number, lines = 30, top = 100): Line[] =>
  Array.from({ length: lines }, (_, line) => ({
    from,
    to: line % 7 === 6 ? from + (to - from) * (0.2 + random() * 0.6) : to - random() * 40,
    y: top + line * LINE_PIXELS,
  }))
/** Cells of a column of a table, as wide as what they say. */
const cells = (from: number, widths: readonly number[]): Line[] =>
  widths.map((width, row) => ({ from, to: from + width, y: 100 + row * LINE_PIXELS }))

test.each([
  ['two columns', [...prose(80, 580), ...prose(640, 1120)]],
  ['three columns', [...prose(60, 400), ...prose(440, 780), ...prose(820, 1140)]],
  ['columns of different heights', [...prose(80, 580, 30), ...prose(640, 1120, 12, 700)]],
  [
    'a heading over two columns, and a picture in one',
    [...prose(80, 1120, 2, 60), ...prose(80, 580, 20, 260), ...prose(640, 1120, 9, 260)],
  ],
])('finds %s', async (_, lines) => {
  expect(await hasColumns(draw(lines))).toBe(true)
})

const labels = [160, 240, 110, 130, 150, 120, 260, 90, 200, 170]
test.each([
  ['one column', prose(80, 1120)],
  ['a form', [...cells(80, labels), ...cells(480, [300, 180, 260, 420, 200, 150, 330, 140, 390, 250])]],
  [
    'a table with amounts',
    [
      ...cells(80, labels),
      ...cells(520, [40, 60, 40, 40, 60, 40, 40, 60, 40, 40]),
      ...cells(700, [130, 130, 110, 130, 130, 110, 130, 130, 130, 110]),
      ...cells(940, [140, 130, 140, 140, 110, 140, 140, 130, 140, 140]),
    ],
  ],
  [
    'a receipt',
    [
      ...cells(
        80,
        labels.map((width) => width * 2),
      ),
      ...cells(
        1000,
        labels.map(() => 120),
      ),
    ],
  ],
  ['nothing', []],
])('takes %s for rows', async (_, lines) => {
  expect(await hasColumns(draw(lines))).toBe(false)
})
