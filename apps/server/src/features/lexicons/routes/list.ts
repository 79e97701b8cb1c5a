import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { LexiconsContext } from '../context.ts'

/** GET /v1/lexicons */
export function listLexicons({ store }: LexiconsContext): Handler<Contract['lexicons']['list']> {
  return async ({ request }) => {
    const rows = await store.list(principalOf(request))
    const data = rows.map(({ account_id: _, updated_at, ...row }) => ({
      ...row,
      updated_at: updated_at.toISOString(),
    }))
    return { status: 200, body: { data } }
  }
}
