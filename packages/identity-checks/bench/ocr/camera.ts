/** What scanners and phones make of a page. */
import sharp from 'sharp'

const WHITE = { background: '#ffffff' }
/** Brightness of the desk that a page lies on. */
const DESK = 70
/** How a camera stands: how far it is tilted, turned in degrees and how much smaller the page appears. */
const CAMERA = { tilt: 0.08, turnDegrees: 1.5, scale: 1.08 }
/** Share of the light that is lost in the corner that the hand darkens. */
const SHADOW = 0.45
/** Standard deviation of a sensor's noise, of 255. */
const NOISE = 5

/** How pages are spoiled. Each gets and returns an encoded picture. */
export const WAYS: Readonly<Record<string, (page: Buffer, random: () => number) => Promise<Buffer>>> = {
  'as drawn': (page) => Promise.resolve(page),
  'scanned askew': (page) => sharp(page).rotate(2.5, WHITE).jpeg({ quality: 75 }).toBuffer(),
  'in shadow': async (page) => {
    const grey = await toGrey(page)
    return encode({ ...grey, data: grey.data.map((value, at) => value * lightAt(at, grey)) })
  },
  photographed: async (page, random) => {
    const grey = seen(await toGrey(page))
    const data = grey.data.map((value, at) => value * lightAt(at, grey) + NOISE * gaussian(random))
    return encode({ ...grey, data }, 0.7)
  },
}

interface Grey {
  readonly data: Float32Array
  readonly width: number
  readonly height: number
}

async function toGrey(page: Buffer): Promise<Grey> {
  const { data, info } = await sharp(page).greyscale().raw().toBuffer({ resolveWithObject: true })
  return { data: Float32Array.from(data), width: info.width, height: info.height }
}

function encode({ data, width, height }: Grey, blur?: number): Promise<Buffer> {
  const picture = sharp(Uint8ClampedArray.from(data), { raw: { width, height, channels: 1 } })
  return (blur === undefined ? picture : picture.blur(blur)).jpeg({ quality: 75 }).toBuffer()
}

/** The light falls off towards one corner. */
function lightAt(at: number, { width, height }: Grey): number {
  const share = ((at % width) / width + Math.floor(at / width) / height) / 2
  return 1 - SHADOW * share * share
}

/** Returns what a tilted pinhole camera sees of a page: a homography of the plane, sampled between pixels. */
function seen({ data, width, height }: Grey): Grey {
  const out = new Float32Array(width * height)
  const turn = (CAMERA.turnDegrees * Math.PI) / 180
  const pixel = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? DESK : (data[y * width + x] ?? DESK)
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const [u, v] = [(2 * column) / width - 1, (2 * row) / height - 1]
      const depth = CAMERA.scale / (1 + CAMERA.tilt * v)
      const [right, down] = [(u * depth * width) / 2, (v * depth * height) / 2]
      const x = width / 2 + right * Math.cos(turn) - down * Math.sin(turn)
      const y = height / 2 + right * Math.sin(turn) + down * Math.cos(turn)
      const [left, top] = [Math.floor(x), Math.floor(y)]
      const [across, along] = [x - left, y - top]
      out[row * width + column] =
        pixel(left, top) * (1 - across) * (1 - along) +
        pixel(left + 1, top) * across * (1 - along) +
        pixel(left, top + 1) * (1 - across) * along +
        pixel(left + 1, top + 1) * across * along
    }
  return { data: out, width, height }
}

/** A normally distributed number, by the method of Box and Muller. */
const gaussian = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
