import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { specimenPath } from './specimen-path.ts'

/** Makes an image that passes all checks at submission and is quick to check, because it is small, and a video of a person. */
export async function makeMedia(): Promise<{ image: Buffer; video: Buffer }> {
  // Of a face alone, in which the readers of documents look for print no longer than they must.
  const face = { left: 200, top: 150, width: 240, height: 240 }
  const image = await sharp(specimenPath('person.jpg')).resize({ width: 640 }).extract(face).jpeg().toBuffer()
  return { image, video: await readFile(specimenPath('liveness.mp4')) }
}

/** Makes a picture of a passport that is read like the larger specimen, in three quarters of its time. */
export const makePassport = (): Promise<Buffer> =>
  sharp(specimenPath('passport.jpg')).resize({ width: 1000 }).jpeg({ quality: 90 }).toBuffer()

export type Part = readonly [name: string, content: Buffer | string]

/**
 * Encodes a multipart form with its parts in this order. Buffers become files, strings become text fields. The files have no media
 * type, which Prism crashes on: send them by other means than `fetch`, or to a route that `hold-to-document.ts` leaves out.
 */
export function formOf(parts: readonly Part[], boundary = 'b0undary'): { type: string; body: Buffer } {
  const pieces = parts.flatMap(([name, content]) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`,
    typeof content === 'string' ? '' : '; filename="any.bin"',
    '\r\n\r\n',
    content,
    '\r\n',
  ])
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as Buffer))),
  }
}
