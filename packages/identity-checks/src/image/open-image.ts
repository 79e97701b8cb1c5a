import sharp, { type Sharp } from 'sharp'
import { MediaError } from '../media/media-error.ts'
import { sniffMedia } from '../media/sniff.ts'
import { decodeHeic, tooManyPixels } from './decode-heic.ts'

/** Only these decoders run. Others of libvips, such as SVG, would only add attack surface. */
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    // AVIF only: the prebuilt libvips has no decoder of HEVC.
    'VipsForeignLoadHeif',
  ],
})

/** Phones have up to 50 million. */
export const MAX_PIXELS = 52_000_000
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
 * Decodes an image (JPEG, PNG, WebP, HEIC or AVIF) and re-encodes it as JPEG, rotated per its EXIF orientation and without any metadata.
 *
 * @throws MediaError `unknown_type`, `pdf_not_supported`, `damaged`, `too_many_pixels`, `too_small`
 */
export async function openImage(bytes: Uint8Array): Promise<OpenedImage> {
  const type = sniffMedia(bytes)
  if (type === 'application/pdf')
    throw new MediaError('pdf_not_supported', 'is a PDF; send a picture of each side of the document')
  if (type === null || !type.startsWith('image/'))
    throw new MediaError('unknown_type', 'is not a JPEG, PNG, WebP, HEIC or AVIF image')
  try {
    const image = type === 'image/heic' ? await openHeic(bytes) : openOther(bytes)
    const { data, info } = await image
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: STORED_QUALITY })
      .toBuffer({ resolveWithObject: true })
    if (Math.min(info.width, info.height) < MIN_SIDE_PIXELS)
      throw new MediaError('too_small', `must be at least ${MIN_SIDE_PIXELS} pixels on each side`)
    return { jpeg: data, width: info.width, height: info.height }
  } catch (error) {
    if (error instanceof MediaError) throw error
    if (error instanceof Error && error.message.includes('pixel limit'))
      throw tooManyPixels(MAX_PIXELS, error)
    throw new MediaError('damaged', 'is damaged or incomplete', error)
  }
}

const openOther = (bytes: Uint8Array): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'truncated' }).rotate()

/** Opens a HEIC image, upright. @throws MediaError `damaged`, `too_many_pixels` */
export async function openHeic(bytes: Uint8Array): Promise<Sharp> {
  const { data, width, height } = await decodeHeic(bytes, MAX_PIXELS)
  return sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: MAX_PIXELS })
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
