import sharp from 'sharp'

/** Simulates a camera picture: slightly rotated, soft and noisy, on a table. */
export async function photograph(drawing: Buffer, width = 1600): Promise<Buffer> {
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
  // Do not pass all of `info`: it still reports the alpha channel that was removed.
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer()
}

/** Simulates a picture of a screen at an angle: each pixel has three coloured stripes and a dark edge. */
export async function recapture(drawing: Buffer): Promise<Buffer> {
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
