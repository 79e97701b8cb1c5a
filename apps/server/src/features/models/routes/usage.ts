import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { parseCursor, toCursor } from '../usage/cursor.ts'
import type { UsageStore } from '../usage/store.ts'

/** GET /v1/usage */
export function listUsage({ store }: { store: UsageStore }): Handler<Contract['models']['usage']> {
  return async ({ query: { limit, cursor, ...range }, request }) => {
    const after = cursor === undefined ? undefined : parseCursor(cursor)
    if (cursor !== undefined && after === undefined)
      throw new ApiError('invalid_request', 'cursor: must be the next_cursor of a page of this list', {
        param: 'cursor',
      })
    const tenant = principalOf(request)
    const rows = await store.list(tenant, { ...range, limit: limit + 1, ...(after && { after }) })
    const body = toPage({
      rows,
      limit,
      id: toCursor,
      view: ({ day, ...row }) => ({
        date: day,
        ...row,
        livemode: tenant.livemode,
        total_tokens: row.prompt_tokens + row.completion_tokens,
      }),
    })
    return { status: 200, body }
  }
}
