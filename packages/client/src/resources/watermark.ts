import { watermarkDetect } from '../generated/routes.ts'
import type { WatermarkDetection } from '../generated/types.ts'
import type { RequestOptions } from '../transport/client-options.ts'
import type { Pending } from '../transport/pending.ts'
import { upload } from './upload.ts'
import { formUpload, type UploadOptions } from '../upload/upload-body.ts'
import { type Body, connect, type Connection } from './resource.ts'

/** The watermark of synthesized speech. */
export interface Watermark {
  /**
   * Searches a recording for the watermark of the server, and finds the request if this account made the speech. The result
   * is a hint, not proof: the watermark can be removed on purpose.
   *
   * @example
   * const { detected, request_id } = await vaani.watermark.detect({ audio: 'voicemail.mp3' })
   */
  detect(
    request: Body<'watermark.detect'>,
    options?: RequestOptions & UploadOptions,
  ): Pending<WatermarkDetection>
}

/** Creates the watermark namespace alone, for a smaller bundle. */
export function createWatermark(connection: Connection): Watermark {
  const transport = connect(connection)
  return {
    detect: (media, options) =>
      upload(transport, watermarkDetect, formUpload, { media: { ...media }, fields: {} }, options),
  }
}
