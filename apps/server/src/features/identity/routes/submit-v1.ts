import { ApiError } from '@vaani/service-kit/http/api-error'
import type { StreamedRoute } from '@vaani/service-kit/http/streamed-route'
import type { IdentityContext } from '../context.ts'
import { readFormSubmission } from '../intake/read-form-submission.ts'
import { describeV1, type V1End } from '../rules/describe-v1.ts'
import { type Answer, receive } from '../submit.ts'

/** A boundary within the limits of RFC 2046, section 5.1.1. */
const BOUNDARY = /;\s*boundary=("[^"]{1,70}"|[^\s";,]{1,70})\s*(;|$)/i

/** POST /identity/kyc/v1 */
export function submitV1(context: IdentityContext, end: V1End): StreamedRoute<Answer> {
  const headers = describeV1(end)
  return async ({ request, reply }) => {
    reply.headers(headers)
    if (!request.isMultipart() || !BOUNDARY.test(request.headers['content-type'] ?? ''))
      throw new ApiError('unsupported_media_type', 'Send multipart/form-data with a boundary')
    return receive(context, request, (intake) => readFormSubmission(request, intake))
  }
}
