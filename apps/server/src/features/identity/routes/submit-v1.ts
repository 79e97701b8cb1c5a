import { ApiError } from '@vaani/service-kit/http/api-error'
import type { StreamedRoute } from '@vaani/service-kit/http/streamed-route'
import type { IdentityContext } from '../context.ts'
import { readFormSubmission } from '../intake/read-form-submission.ts'
import { type Answer, receive } from '../submit.ts'

/** A boundary within the limits of RFC 2046, section 5.1.1. */
const BOUNDARY = /;\s*boundary=("[^"]{1,70}"|[^\s";,]{1,70})\s*(;|$)/i

const V1_DEPRECATED_SINCE_SECONDS = Date.UTC(2026, 10, 20) / 1000

/** POST /identity/kyc/v1 */
export function submitV1(context: IdentityContext): StreamedRoute<Answer> {
  return async ({ request, reply }) => {
    reply.header('deprecation', `@${V1_DEPRECATED_SINCE_SECONDS}`)
    if (!request.isMultipart() || !BOUNDARY.test(request.headers['content-type'] ?? ''))
      throw new ApiError('unsupported_media_type', 'Send multipart/form-data with a boundary')
    return receive(context, request, (intake) => readFormSubmission(request, intake))
  }
}
