import type { GreyImage } from './open-image.ts'

/** Writes a picture as a portable graymap, which costs nothing to encode and decode. */
export const toPgm = ({ data, width, height }: GreyImage): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data])
