import sharp, { type Sharp } from 'sharp'
import type { GreyImage } from '../../src/image/open-image.ts'
import { sampleAt } from '../../src/mrz/read-line.ts'

type Random = () => number
export interface Hardship {
  readonly name: string
  /** Whether nobody can read the zone, so that the reader must say why. */
  readonly hidesZone?: boolean
  readonly jpegQuality?: number
  readonly spoil: (
    picture: GreyImage,
    given: { random: Random; zoneTop: number },
  ) => GreyImage | Promise<GreyImage>
}

const TABLE = 84
const background = { r: TABLE, g: TABLE, b: TABLE }

/** What a picture of a document suffers: 22 that leave its zone legible, and glare that hides a part of it. */
export const HARDSHIPS: readonly Hardship[] = [
  { name: 'as drawn', spoil: (picture) => picture },
  { name: 'blurred by 2 pixels', spoil: change((image) => image.blur(2)) },
  { name: 'moved by 5 pixels', spoil: (picture) => smear(picture, 5) },
  { name: 'noisy', spoil: (picture, { random }) => addNoise(picture, 45, random) },
  { name: 'turned by 90 degrees', spoil: change((image) => image.rotate(90)) },
  { name: 'upside down', spoil: change((image) => image.rotate(180)) },
  { name: 'tilted by 5 degrees', spoil: change((image) => image.rotate(5, { background })) },
  { name: 'tilted by 9 degrees', spoil: change((image) => image.rotate(9, { background })) },
  { name: 'half as large', spoil: change((image) => image.resize({ width: 600 })) },
  { name: '450 pixels wide', spoil: change((image) => image.resize({ width: 450 })) },
  { name: 'JPEG of quality 15', jpegQuality: 15, spoil: (picture) => picture },
  { name: 'dark', spoil: (picture) => map(picture, (value) => value * 0.3) },
  { name: 'pale', spoil: (picture) => map(picture, (value) => 150 + value * 0.35) },
  {
    name: 'under a shadow',
    spoil: (picture, { random }) => {
      const edge = 0.3 + random() * 0.4
      return map(picture, (value, x) => value * (0.35 + 0.65 / (1 + Math.exp((edge - x) * 30))))
    },
  },
  { name: 'on a table', spoil: (picture, { random }) => layOnTable(picture, random) },
  {
    name: 'on a dark, patterned card',
    spoil: (picture) =>
      map(
        picture,
        (value, x, y) =>
          value * (0.55 + 0.06 * Math.sin(x * 90 + 6 * Math.sin(y * 21)) + 0.05 * Math.sin((x + y) * 130)),
      ),
  },
  ...[4, 7, 10].map((percent) => ({
    name: `keystone of ${percent} %, sideways`,
    spoil: (picture: GreyImage, { random }: { random: Random }) =>
      keystone(picture, { sideways: (sign(random) * percent) / 100, upright: 0 }),
  })),
  {
    name: 'keystone of 10 %, upright',
    spoil: (picture, { random }) => keystone(picture, { sideways: 0, upright: sign(random) * 0.1 }),
  },
  {
    name: 'keystone of 6 % both ways',
    spoil: (picture, { random }) =>
      keystone(picture, { sideways: sign(random) * 0.06, upright: sign(random) * 0.06 }),
  },
  {
    name: 'all at random',
    jpegQuality: 70,
    spoil: async (picture, { random }) => {
      const wide = keystone(picture, { sideways: (random() - 0.5) * 0.1, upright: (random() - 0.5) * 0.1 })
      return change((image) =>
        image
          .rotate((random() - 0.5) * 14, { background })
          .resize({ width: Math.round(600 + random() * 900) })
          .blur(0.3 + random() * 1.5)
          .linear(0.4 + random() * 0.6, 0),
      )(wide)
    },
  },
  { name: 'glare on the zone', hidesZone: true, spoil: shine },
]

const sign = (random: Random) => (random() < 0.5 ? -1 : 1)

/** Draws another picture of the same size from its place, as a share of width and height. */
function map(
  { data, width, height }: GreyImage,
  at: (value: number, x: number, y: number) => number,
): GreyImage {
  const changed = new Uint8Array(data.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const value = at(data[y * width + x] ?? 0, x / width, y / height)
      changed[y * width + x] = Math.min(255, Math.max(0, value))
    }
  return { data: changed, width, height }
}

function change(make: (image: Sharp) => Sharp): (picture: GreyImage) => Promise<GreyImage> {
  return async ({ data, width, height }) => {
    const made = make(sharp(data, { raw: { width, height, channels: 1 } }))
    const { data: changed, info } = await made
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { data: changed, width: info.width, height: info.height }
  }
}

const addNoise = (picture: GreyImage, most: number, random: Random) =>
  map(picture, (value) => value + (random() + random() - 1) * most)

/** Smears along the lines, as a hand that moves does. */
function smear(picture: GreyImage, pixels: number): GreyImage {
  const { data, width } = picture
  return map(picture, (_, x, y) => {
    const at = Math.round(y * picture.height) * width + Math.round(x * width)
    let sum = 0
    for (let step = 0; step < pixels; step++) sum += data[at - (pixels >> 1) + step] ?? TABLE
    return sum / pixels
  })
}

/** Lays the document on a table with a grain, so that it takes two thirds of the width. */
function layOnTable(picture: GreyImage, random: Random): GreyImage {
  const [width, height] = [Math.round(picture.width * 1.5), Math.round(picture.height * 1.5)]
  const [left, top] = [
    random() * (width - picture.width - 20) + 10,
    random() * (height - picture.height - 20) + 10,
  ]
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [column, row] = [x - Math.round(left), y - Math.round(top)]
      const isDocument = column >= 0 && row >= 0 && column < picture.width && row < picture.height
      data[y * width + x] = isDocument
        ? (picture.data[row * picture.width + column] ?? 0)
        : TABLE + 22 * Math.sin(y / 5 + 4 * Math.sin(x / 170)) + random() * 16
    }
  return { data, width, height }
}

/** Shows the document from aside or from above: the far edge is shorter by this share of the near one. */
function keystone(picture: GreyImage, by: { sideways: number; upright: number }): GreyImage {
  const { width, height } = picture
  const margin = 0.06
  // A point of the document, from -0.5 to 0.5, is divided by its distance. The shares below give edges of 1 and 1 - share.
  const [p, q] = [by.sideways, by.upright].map((share) => share / (1 - Math.abs(share) / 2))
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [(x / width - 0.5) * (1 + 2 * margin), (y / height - 0.5) * (1 + 2 * margin)]
      const distance = 1 - (p ?? 0) * u - (q ?? 0) * v
      const [column, row] = [u / distance + 0.5, v / distance + 0.5]
      const isOutside = column < 0 || row < 0 || column >= 1 || row >= 1
      data[y * width + x] = isOutside ? TABLE : sampleAt(picture, column * width, row * height)
    }
  return { data, width, height }
}

/** Burns out an ellipse over all lines of the zone, 12 to 30 percent of the width of the picture. */
function shine(picture: GreyImage, { random, zoneTop }: { random: Random; zoneTop: number }): GreyImage {
  const [centreX, centreY] = [0.2 + random() * 0.6, (1 + zoneTop) / 2]
  const [radiusX, radiusY] = [0.06 + random() * 0.09, (1 - zoneTop) * 0.75]
  return map(picture, (value, x, y) => {
    const distance = Math.hypot((x - centreX) / radiusX, (y - centreY) / radiusY)
    return value + 255 / (1 + Math.exp((distance - 1.15) * 14))
  })
}
