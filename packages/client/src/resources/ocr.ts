import { modelsOcr } from '../generated/routes.ts'
import type { OcrRequest, OcrResult } from '../generated/types.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import type { MediaSource } from '../media-source.ts'
import { upload } from './upload.ts'
import { jsonUpload, type UploadOptions } from '../upload/upload-body.ts'
import { connect, type Connection } from './resource.ts'

/** Text recognition. */
export interface Ocr {
  /**
   * Returns the text of an image (JPEG, PNG, WebP, HEIC, AVIF or TIFF) or a PDF, with the position of each block, line and word.
   *
   * @example
   * const { text } = await vaani.ocr.process({ image: 'letter.png', language: 'ne' })
   */
  process(
    request: Omit<OcrRequest, 'image_b64'> & { readonly image: MediaSource },
    options?: RequestOptions & UploadOptions,
  ): Pending<OcrResult>
}

/** Creates the text recognition namespace alone, for a smaller bundle. */
export function createOcr(connection: Connection): Ocr {
  const transport = connect(connection)
  return {
    process: ({ image, ...fields }, options) =>
      upload(transport, modelsOcr, jsonUpload, { media: { image }, fields }, options),
  }
}
