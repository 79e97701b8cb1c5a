/** Writes the specimens that tests and the sandbox use: `node --conditions=source scripts/make-specimens.ts`. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { ANNA as ANNAS_FACE, drawPicture, OTHER as OTHERS_FACE } from './draw-face.ts'
import { ANNA, drawCardBack, drawCardFront, drawPassport } from './draw-specimen.ts'

const folder = path.resolve(import.meta.dirname, '../specimens')
const EXPIRED = { ...ANNA, expiry: '120415' }

/** As a camera has it: a little turned, soft and noisy, on a table. */
async function photograph(drawing: Buffer, width = 1600): Promise<Buffer> {
  const turned = await sharp(drawing).rotate(1.2, { background: '#5b4a3a' }).toBuffer()
  const { data, info } = await sharp(turned)
    .extend({ top: 40, bottom: 40, left: 40, right: 40, background: '#5b4a3a' })
    .resize({ width })
    .blur(0.6)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  let seed = 7
  for (let index = 0; index < data.length; index++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    data[index] = Math.max(0, Math.min(255, (data[index] ?? 0) + ((seed / 2 ** 32) * 2 - 1) * 5))
  }
  // Not `info` whole: it says that alpha is in, which removing it has not changed.
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer()
}

/** Of a screen: each pixel three coloured stripes and a dark edge, seen by a camera at an angle. */
async function recapture(drawing: Buffer): Promise<Buffer> {
  const SUB = 6
  const { data, info } = await sharp(drawing)
    .removeAlpha()
    .resize({ width: 900 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const [width, height] = [info.width * SUB, info.height * SUB]
  const screen = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const source = (Math.floor(y / SUB) * info.width + Math.floor(x / SUB)) * 3
      const stripe = Math.floor((x % SUB) / 2)
      const edge = y % SUB === SUB - 1 ? 0.35 : 1
      for (let c = 0; c < 3; c++)
        screen[(y * width + x) * 3 + c] = (data[source + c] ?? 0) * (c === stripe ? 1 : 0.12) * edge
    }
  const limits = { limitInputPixels: false } as const
  const bright = await sharp(screen, { raw: { width, height, channels: 3 }, ...limits })
    .linear(1.9, 0)
    .png({ compressionLevel: 0 })
    .toBuffer()
  const turned = await sharp(bright, limits)
    .rotate(2, { background: '#222222' })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return sharp(turned, limits)
    .resize({ width: Math.round((width * 1.7) / SUB), kernel: 'linear' })
    .blur(0.5)
    .jpeg({ quality: 92 })
    .toBuffer()
}

const passport = await drawPassport(ANNA)
const specimens: Readonly<Record<string, Buffer>> = {
  'passport.jpg': await photograph(passport),
  'passport-expired.jpg': await photograph(await drawPassport(EXPIRED)),
  'passport-blurred.jpg': await sharp(await photograph(passport))
    .blur(6)
    .jpeg({ quality: 88 })
    .toBuffer(),
  'passport-on-screen.jpg': await recapture(passport),
  'card-front.jpg': await photograph(await drawCardFront(ANNA)),
  'card-back.jpg': await photograph(await drawCardBack(ANNA)),
}
for (const [name, bytes] of Object.entries(specimens)) await writeFile(path.join(folder, name), bytes)

/** People who do not exist, drawn, for engines of faces. */
for (const [name, face] of [
  ['person', ANNAS_FACE],
  ['other-person', OTHERS_FACE],
] as const) {
  const { data, width, height } = await drawPicture(face)
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer()
  await writeFile(path.join(folder, `${name}.jpg`), jpeg)
}
