import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { GreyImage } from '../../image/open-image.ts'
import { type TextBlock, toBlock, toLine } from '../layout.ts'
import { measurePrint } from './measure-print.ts'

const ROW = 120
const PRINTS = [
  { text: 'harbour', size: 50, weight: 'normal' },
  { text: 'anemone', size: 50, weight: 'normal' },
  { text: 'playing', size: 50, weight: 'normal' },
  { text: 'Members', size: 50, weight: 'bold' },
  { text: 'Report', size: 80, weight: 'normal' },
]

async function draw(): Promise<GreyImage> {
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] })
  const texts = PRINTS.map(
    ({ text, size, weight }, row) =>
      `<text x="20" y="${row * ROW + 90}" font-size="${size}" font-weight="${weight}">${text}</text>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="${PRINTS.length * ROW}" font-family="DejaVu Serif">
    <rect width="100%" height="100%" fill="white"/>${texts.join('')}</svg>`
  const { data, info } = await sharp(Buffer.from(svg))
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Says where the ink of each row is, as recognition does. */
function boxWords({ data, width }: GreyImage): TextBlock {
  const words = PRINTS.map(({ text }, row) => {
    const ink = [...data.subarray(row * ROW * width, (row + 1) * ROW * width).entries()].filter(
      ([, grey]) => grey < 128,
    )
    const [xs, ys] = [ink.map(([at]) => at % width), ink.map(([at]) => Math.floor(at / width) + row * ROW)]
    const [x, y] = [Math.min(...xs), Math.min(...ys)]
    return {
      text,
      confidence: 1,
      box: { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 },
    }
  })
  return toBlock(words.map((word) => toLine([word])))
}

test('finds the size of print whatever letters it has, and whether it is bold', async () => {
  const picture = await draw()
  const block = boxWords(picture)
  const styleOf = measurePrint(picture, [block])
  const styles = block.lines.map(({ words: [word] }) => word && styleOf(word))
  const usual = styles[0]?.size ?? 0
  expect(styles.map((style) => style?.isBold)).toEqual(PRINTS.map(({ weight }) => weight === 'bold'))
  for (const [index, { size }] of PRINTS.entries()) {
    const ratio = (styles[index]?.size ?? 0) / usual
    expect(Math.abs(ratio / (size / 50) - 1)).toBeLessThan(0.1)
  }
})

test('measures words that are partly outside the picture', () => {
  const word = { text: 'edge', confidence: 1, box: { x: -5, y: -5, width: 50, height: 20 } }
  const picture = { data: new Uint8Array(100).fill(255), width: 10, height: 10 }
  expect(measurePrint(picture, [toBlock([toLine([word])])])(word)).toMatchObject({ isBold: false })
})
