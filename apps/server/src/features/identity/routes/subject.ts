import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { IdentityContext } from '../context.ts'
import { toVerificationPage } from '../verification-page.ts'

/** GET /identity/subjects/{external_id} */
export function readSubject({ identity }: IdentityContext): Handler<Contract['identity']['subject']> {
  return async ({ params, query: { limit, cursor }, request }) => {
    const rows = await identity.store.list({
      tenant: principalOf(request),
      limit: limit + 1,
      cursor,
      externalId: params.external_id,
    })
    return { status: 200, body: toVerificationPage(rows, limit) }
  }
}
