import sharp from 'sharp'
import { type OpenedImage, rawOf, readGrey } from './open-image.ts'
import { turn } from './turn.ts'

/** Side of the small picture that is transformed. */
const SIDE = 128
/**
 * Frequencies that are compared. Lower ones show the framing and the template of a document, which those of many people have
 * in common; higher ones change when a picture is encoded again.
 */
const LOWEST = 16
const HIGHEST = 32
const BITS = HIGHEST ** 2 - LOWEST ** 2
const PARTS = 16
/**
 * Equal parts from which two pictures are the same one. Measured (docs/measured/accuracy.md): of a picture that was encoded
 * again 7 and more; of drawings of two people's passports, framed alike to the pixel, at most 4.
 */
export const SAME_PARTS = 5

/**
 * What a picture looks like: 16 parts of 48 bits each, as hexadecimal digits. They can be compared one by one, so that a keyed
 * digest of each is enough to find the same picture, and hides the picture.
 */
export type Likeness = readonly string[]

/** Cosines of the transform (DCT-II), by frequency, then by place. */
const COSINES = Array.from({ length: HIGHEST }, (_, frequency) =>
  Float64Array.from({ length: SIDE }, (__, place) =>
    Math.cos((Math.PI * frequency * (2 * place + 1)) / (2 * SIDE)),
  ),
)

/**
 * Describes what a picture looks like by the signs of frequencies of its cosine transform, like pHash (Zauner, Implementation and
 * benchmarking of perceptual image hash functions, 2010), but in finer detail, to distinguish documents of one kind.
 */
export async function describeLikeness(image: OpenedImage): Promise<Likeness> {
  return describe(
    await sharp(image.jpeg)
      .greyscale()
      // Decoding at a fraction of the size would shift the picture by a part of a pixel, by a different one at another size.
      .resize({ width: SIDE, height: SIDE, fit: 'fill', fastShrinkOnLoad: false })
      .raw()
      .toBuffer(),
  )
}

/**
 * Describes a picture as if it were rotated clockwise by each of several multiples of 90 degrees. The likeness of each differs a little from that
 * of `describeLikeness`, which is compared with stored ones: the whole picture is decoded, so that a turn moves no pixel.
 */
export async function describeTurned(image: OpenedImage, turns: readonly number[]): Promise<Likeness[]> {
  const data = await rawOf(await readGrey(image))
    .resize({ width: SIDE, height: SIDE, fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer()
  return turns.map((degrees) => describe(turn({ data, width: SIDE, height: SIDE }, degrees).data))
}

function describe(pixels: Uint8Array): Likeness {
  const rows = COSINES.map((cosine) =>
    Float64Array.from({ length: SIDE }, (_, y) => project(cosine, pixels.subarray(y * SIDE))),
  )
  const bits = COSINES.flatMap((cosine, vertical) =>
    rows
      .filter((_, horizontal) => vertical >= LOWEST || horizontal >= LOWEST)
      .map((row) => (project(cosine, row) > 0 ? '1' : '0')),
  )
  // Each part has bits of all frequencies.
  return Array.from({ length: PARTS }, (_, part) => {
    const own = bits.filter((__, index) => index % PARTS === part).join('')
    return BigInt(`0b${own}`)
      .toString(16)
      .padStart(BITS / PARTS / 4, '0')
  })
}

function project(cosine: Float64Array, values: Uint8Array | Float64Array): number {
  // A loop is several times as fast as `reduce`.
  let sum = 0
  for (let place = 0; place < SIDE; place++) sum += (cosine[place] ?? 0) * (values[place] ?? 0)
  return sum
}

/** Counts the bits in which two pictures differ, of 768. */
export function unlikeBits(one: Likeness, other: Likeness): number {
  const ofAll = (parts: Likeness) => BigInt(`0x${parts.join('')}`)
  return (ofAll(one) ^ ofAll(other)).toString(2).replaceAll('0', '').length
}
