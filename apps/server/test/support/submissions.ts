import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeVideo, runTool } from '@vaani/test-services/run-tool'

export const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

/** Makes an image and a video that pass all checks at submission and are quick to check. */
export async function makeMedia(): Promise<{ image: Buffer; video: Buffer }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-media-'))
  try {
    const picture = path.join(folder, 'picture.jpg')
    const film = path.join(folder, 'film.mp4')
    const source = (size: string) => ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=15:duration=4`]
    runTool('ffmpeg', [...source('640x480'), '-frames:v', '1', picture])
    makeVideo(film, source('320x240'))
    return { image: await readFile(picture), video: await readFile(film) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

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
