import sharp from 'sharp'

/** About the resolution of a phone camera. */
const WIDTH = 3000
const ROW = { height: 44, letter: 26 }

/** Draws rows of random letters of three strokes each, from a fixed seed. */
function drawLetters(height: number): Buffer {
  const pixels = Buffer.alloc(WIDTH * height, 245)
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  const fill = (left: number, top: number, width: number, rows: number) => {
    for (let y = top; y < top + rows; y++) pixels.fill(25, y * WIDTH + left, y * WIDTH + left + width)
  }
  for (let top = 60; top < height - ROW.height; top += ROW.height)
    for (let left = 60; left < WIDTH - 60; left += ROW.letter - 4 + random(12)) {
      fill(left + random(4), top, 4, ROW.letter)
      fill(left + 10 + random(6), top, 4, ROW.letter)
      fill(left, top + random(ROW.letter - 4), 18, 4)
    }
  return pixels
}

const toImage = (height: number) =>
  sharp(drawLetters(height), { raw: { width: WIDTH, height, channels: 1 } }).toColourspace('srgb')

export const drawDensePage = (): Promise<Buffer> => toImage(4000).jpeg({ quality: 80 }).toBuffer()

/** Draws dense text above the machine-readable zone, so that all of it is read for comparison with the zone. */
export async function drawDensePassport(passport: Buffer): Promise<Buffer> {
  const document = await sharp(passport).resize({ width: WIDTH }).toBuffer({ resolveWithObject: true })
  const textHeight = Math.round(document.info.height * TEXT_SHARE)
  const text = await toImage(textHeight).png().toBuffer()
  return sharp(document.data)
    .composite([{ input: text, top: 0, left: 0 }])
    .jpeg({ quality: 85 })
    .toBuffer()
}
const TEXT_SHARE = 0.7
