import sharp from 'sharp'
import { MediaError } from '../media/media-error.ts'
import { sniffMedia } from '../media/sniff.ts'

/** Only these decoders run. Others of libvips, such as SVG, would only add attack surface. */
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] })

export const MAX_PIXELS = 40_000_000
/** Below this size no text of a document is legible. */
const MIN_SIDE_PIXELS = 200
const STORED_QUALITY = 90

/** An image that was fully decoded and re-encoded, so that it contains only pixels. */
export interface OpenedImage {
  /** JPEG, upright, without metadata. */
  readonly jpeg: Buffer
  readonly width: number
  readonly height: number
}

/**
 * Decodes an image and re-encodes it as JPEG, rotated per its EXIF orientation and without any metadata.
 *
 * @throws MediaError `unknown_type`, `heic_not_supported`, `damaged`, `too_many_pixels`, `too_small`
 */
export async function openImage(bytes: Uint8Array): Promise<OpenedImage> {
  const type = sniffMedia(bytes)
  if (type === 'image/heic')
    throw new MediaError('heic_not_supported', 'is HEIC, which is not supported; send JPEG, PNG or WebP')
  if (type === null || !type.startsWith('image/'))
    throw new MediaError('unknown_type', 'is not a JPEG, PNG or WebP image')
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' })
      .rotate()
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: STORED_QUALITY })
      .toBuffer({ resolveWithObject: true })
    if (Math.min(info.width, info.height) < MIN_SIDE_PIXELS)
      throw new MediaError('too_small', `must be at least ${MIN_SIDE_PIXELS} pixels on each side`)
    return { jpeg: data, width: info.width, height: info.height }
  } catch (error) {
    if (error instanceof MediaError) throw error
    if (error instanceof Error && error.message.includes('pixel limit'))
      throw new MediaError('too_many_pixels', 'has more than 40 million pixels', error)
    throw new MediaError('damaged', 'is damaged or incomplete', error)
  }
}

/**
 * Returns an image that `openImage` wrote unchanged, and opens any other.
 *
 * @throws MediaError like `openImage`
 */
export async function reopenImage(bytes: Buffer): Promise<OpenedImage> {
  if (sniffMedia(bytes) !== 'image/jpeg') return openImage(bytes)
  const { width, height, exif } = await sharp(bytes).metadata()
  const isOpened = exif === undefined && width * height <= MAX_PIXELS
  return isOpened ? { jpeg: bytes, width, height } : openImage(bytes)
}

/** Rotates an image clockwise, by a multiple of 90 degrees. */
export async function turnImage(image: OpenedImage, degrees: number): Promise<OpenedImage> {
  if (degrees === 0) return image
  const { data, info } = await sharp(image.jpeg)
    .rotate(degrees)
    .jpeg({ quality: STORED_QUALITY })
    .toBuffer({ resolveWithObject: true })
  return { jpeg: data, width: info.width, height: info.height }
}

/** Grey pixels, one byte each, row by row. */
export interface GreyImage {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** Reads an image as grey pixels, scaled down to `maxSide` pixels on its longer side if larger. */
export async function readGrey(image: OpenedImage, maxSide: number): Promise<GreyImage> {
  const { data, info } = await sharp(image.jpeg)
    .greyscale()
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
