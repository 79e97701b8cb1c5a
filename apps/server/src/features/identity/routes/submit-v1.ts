import { requireForm } from '@vaani/service-kit/http/body/form'
import type { StreamedRoute } from '@vaani/service-kit/http/body/streamed-route'
import type { IdentityContext } from '../context.ts'
import { readFormSubmission } from '../intake/read-form-submission.ts'
import { describeV1, type V1End } from '../rules/describe-v1.ts'
import { type Answer, receive } from '../submit.ts'

/** POST /identity/kyc/v1 */
export function submitV1(context: IdentityContext, end: V1End): StreamedRoute<Answer> {
  const headers = describeV1(end)
  return async ({ request, reply }) => {
    reply.headers(headers)
    requireForm(request)
    return receive(context, request, (intake) => readFormSubmission(request, intake))
  }
}
