import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { IdentityContext } from '../context.ts'
import { toVerificationPage } from '../verification-page.ts'

/** GET /identity/verifications */
export function listVerifications({ identity }: IdentityContext): Handler<Contract['identity']['list']> {
  return async ({ query: { limit, cursor, status, external_id: externalId }, request }) => {
    const tenant = principalOf(request)
    const rows = await identity.store.list({ tenant, limit: limit + 1, cursor, status, externalId })
    return { status: 200, body: toVerificationPage(rows, limit) }
  }
}
