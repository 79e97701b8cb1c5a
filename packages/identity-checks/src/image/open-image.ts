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

/** Grey pixels, one byte each, row by row. */
export interface GreyImage {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** The longest side of grey pixels that are kept, and the largest that most checks read. */
const KEPT_SIDE = 2400
/** Grey pixels of each image, by their longest side, kept as long as the image, because the checks of a document read the same. */
const kept = new WeakMap<OpenedImage, Map<number, Promise<GreyImage>>>()

/** Reads an image as grey pixels, scaled down to `maxSide` pixels on its longer side if larger. They must not be changed. */
export function readGrey(image: OpenedImage, maxSide: number = Number.POSITIVE_INFINITY): Promise<GreyImage> {
  const side = Math.min(maxSide, Math.max(image.width, image.height))
  if (side > KEPT_SIDE) return decodeGrey(image, side)
  const ofImage = kept.get(image) ?? new Map<number, Promise<GreyImage>>()
  kept.set(image, ofImage)
  const grey = ofImage.get(side) ?? scaleGrey(image, side)
  ofImage.set(side, grey)
  return grey
}

/** Decodes an image once for all sizes, unless it is large: then libjpeg is faster at decoding it at a fraction of its size. */
async function scaleGrey(image: OpenedImage, side: number): Promise<GreyImage> {
  const longest = Math.max(image.width, image.height)
  if (side === longest || longest > KEPT_SIDE) return decodeGrey(image, side)
  return resizeGrey(rawOf(await readGrey(image)), side)
}

/** Rotates a picture clockwise by any angle, on a ground of one colour. */
export async function rotateGrey(
  picture: GreyImage,
  degrees: number,
  { background = '#ffffff' }: { background?: string } = {},
): Promise<GreyImage> {
  if (degrees === 0) return picture
  const { data, info } = await rawOf(picture)
    .rotate(degrees, { background })
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Opens grey pixels to change them. */
export const rawOf = ({ data, width, height }: GreyImage): Sharp =>
  sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false })

const decodeGrey = ({ jpeg }: OpenedImage, side: number): Promise<GreyImage> =>
  resizeGrey(sharp(jpeg).greyscale(), side)

async function resizeGrey(image: Sharp, side: number): Promise<GreyImage> {
  const { data, info } = await image
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
