import { CheckRunError, MediaError } from '@vaani/identity-checks/ocr'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { OcrContext } from './context.ts'

const BUSY_RETRY_SECONDS = 5

/**
 * Reads something of a document while its caller waits.
 *
 * @throws ApiError `media_unreadable`, whose message names a limit that is exceeded; `service_unavailable`
 */
export async function readNow<Result>(
  { metrics }: Pick<OcrContext, 'metrics'>,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof MediaError) {
      metrics.read.add({ outcome: 'unreadable' })
      throw new ApiError('media_unreadable', `image: ${error.message}`, { param: 'image', cause: error })
    }
    const code = error instanceof CheckRunError ? error.code : 'failed'
    metrics.read.add({ outcome: code === 'aborted' ? 'left' : code === 'busy' ? 'busy' : 'failed' })
    if (!(error instanceof CheckRunError) || code === 'aborted') throw error
    throw new ApiError('service_unavailable', 'Too many documents are being read', {
      retryAfterSeconds: BUSY_RETRY_SECONDS,
      cause: error,
    })
  }
}
