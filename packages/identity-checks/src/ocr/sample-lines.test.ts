import { expect, test } from 'vitest'
import type { GreyImage } from '../image/open-image.ts'
import { cutSamples, densestRun } from './sample-lines.ts'

/** Draws lines of dashes, each from some pixels to others. */
function draw(lines: readonly (readonly [number, number])[]): GreyImage {
  const [width, height] = [800, lines.length * 40 + 80]
  const data = new Uint8Array(width * height).fill(255)
  for (const [line, [from, to]] of lines.entries())
    for (let y = line * 40 + 50; y < line * 40 + 62; y++)
      for (let x = from; x < to; x += 10) data.fill(0, y * width + x, y * width + x + 5)
  return { data, width, height }
}

const LINES = Array.from({ length: 15 }, (_, line): [number, number] => [60, line === 4 ? 700 : 300])

test('samples are parts of the densest line and of the first, the middle and the last', async () => {
  const samples = await cutSamples(draw(LINES))
  expect(samples).toHaveLength(4)
  for (const { width, height } of samples) {
    expect(height).toBeLessThan(20)
    expect(width).toBe(Math.min(800, height * 20))
  }
})

test('a line is sampled once', async () => {
  expect(await cutSamples(draw(LINES.with(4, [60, 300]).with(7, [60, 700])))).toHaveLength(3)
})

test('a page of a few lines has no samples', async () => {
  expect(await cutSamples(draw(LINES.slice(0, 11)))).toEqual([])
})

test.each([
  { values: [1, 0, 5, 4, 0, 9], length: 2, start: 2, end: 4 },
  { values: [1, 2, 3], length: 5, start: 0, end: 3 },
  { values: [0, 0, 0], length: 2, start: 0, end: 2 },
])(
  'the run of $length of $values with the largest sum begins at $start',
  ({ values, length, start, end }) => {
    expect(densestRun(values, length)).toEqual({ start, end })
  },
)
