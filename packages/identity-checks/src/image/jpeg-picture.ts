import sharp from 'sharp'
import type { RgbPicture } from './rgb-picture.ts'

/** A picture as it is sent to an engine over HTTP. */
export interface JpegPicture {
  readonly base64: string
  readonly width: number
  readonly height: number
}

const QUALITY = 90

/** Encodes pixels as JPEG. */
export async function toJpegPicture({ data, width, height }: RgbPicture): Promise<JpegPicture> {
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: QUALITY })
    .toBuffer()
  return { base64: jpeg.toString('base64'), width, height }
}
