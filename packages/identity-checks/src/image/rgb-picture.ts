import sharp from 'sharp'
import type { OpenedImage } from './open-image.ts'

/** Pixels for engines: red, green and blue of each, row by row. */
export interface RgbPicture {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

const LARGEST_SIDE = 1280

/**
 * Reads an image in colour, scaled down to a size that is enough for engines.
 *
 * @param turnDegrees rotates it clockwise, by a multiple of 90 degrees
 */
export async function toRgbPicture(image: OpenedImage, turnDegrees = 0): Promise<RgbPicture> {
  const { data, info } = await sharp(image.jpeg)
    .rotate(turnDegrees)
    .resize({ width: LARGEST_SIDE, height: LARGEST_SIDE, fit: 'inside', withoutEnlargement: true })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** A box in pixels. Parts outside the picture are ignored. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Stretches a picture, or a part of it, to a size. */
export async function resizePicture(
  picture: RgbPicture,
  options: { width: number; height: number; box?: Box },
): Promise<RgbPicture> {
  const { width, height, box } = options
  const { data, width: fullWidth, height: fullHeight } = picture
  let part = sharp(data, { raw: { width: fullWidth, height: fullHeight, channels: 3 } })
  if (box) {
    const left = Math.min(fullWidth - 1, Math.max(0, Math.round(box.left)))
    const top = Math.min(fullHeight - 1, Math.max(0, Math.round(box.top)))
    part = part.extract({
      left,
      top,
      width: Math.max(1, Math.min(fullWidth - left, Math.round(box.width))),
      height: Math.max(1, Math.min(fullHeight - top, Math.round(box.height))),
    })
  }
  return { data: await part.resize({ width, height, fit: 'fill' }).raw().toBuffer(), width, height }
}
