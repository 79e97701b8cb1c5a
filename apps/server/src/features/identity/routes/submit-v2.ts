import { Readable } from 'node:stream'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { StreamedRoute } from '@vaani/service-kit/http/body/streamed-route'
import type { IdentityContext } from '../context.ts'
import { readJsonSubmission } from '../intake/read-json-submission.ts'
import { type Answer, receive, requireCallback } from '../submit.ts'

/** POST /identity/kyc/v2 */
export function submitV2(context: IdentityContext): StreamedRoute<Answer> {
  return async ({ request }) => {
    const { body } = request
    if (!(body instanceof Readable)) throw new ApiError('invalid_request', 'The body is empty')
    // Stopping early must not destroy the request, because the connection still reads the rest.
    const source = body.iterator({ destroyOnReturn: false })
    return receive(context, request, (intake) =>
      readJsonSubmission(source, intake, (url) => requireCallback(context, principalOf(request), url)),
    )
  }
}
