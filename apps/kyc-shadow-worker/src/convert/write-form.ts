import { createHash } from 'node:crypto'

/** Writes a multipart form part by part. */
export interface FormWriter {
  /** Type of the form, with its boundary. */
  readonly contentType: string
  text(name: string, text: string): string
  /** Begins a file, whose bytes come next, then `fileEnd`. */
  fileStart(name: string, mediaType: string): string
  readonly fileEnd: string
  readonly end: string
}

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/
const LINE_END = '\r\n'

/** @param seed secret, so that no content can have the boundary in it; the same seed and parts give the same bytes */
export function createFormWriter(seed: string): FormWriter {
  const boundary = createHash('sha256').update(`boundary ${seed}`).digest('hex')
  const head = (name: string, more: string) =>
    `--${boundary}${LINE_END}content-disposition: form-data; name="${escapeName(name)}"${more}${LINE_END}${LINE_END}`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    text: (name, text) => `${head(name, '')}${text}${LINE_END}`,
    fileStart: (name, mediaType) =>
      head(
        name,
        `; filename="media"${MEDIA_TYPE.test(mediaType) ? `${LINE_END}content-type: ${mediaType}` : ''}`,
      ),
    fileEnd: LINE_END,
    end: `--${boundary}--${LINE_END}`,
  }
}

/** As browsers do (HTML, section 4.10.21.8). */
const escapeName = (name: string): string =>
  name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
