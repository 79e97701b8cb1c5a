import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { AdminContext } from './context.ts'

export function requirePolicy({ identity }: AdminContext, name: string | null | undefined): void {
  if (name !== null && name !== undefined && !identity.policies.has(name))
    throw new ApiError('invalid_request', 'identity_policy: is not the name of a policy', {
      param: 'identity_policy',
    })
}

export async function requireCallWebhook(
  context: AdminContext,
  url: string | null | undefined,
): Promise<void> {
  if (url !== null && url !== undefined) await context.webhooks.requireDestination(url, 'call_webhook_url')
}
