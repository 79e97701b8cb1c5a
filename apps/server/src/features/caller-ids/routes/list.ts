import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { CallerIdsContext } from '../context.ts'
import { toPending, toVerified } from '../view.ts'

/** GET /v1/caller-ids */
export function listCallerIds(context: CallerIdsContext): Handler<Contract['callerIds']['list']> {
  return async ({ query: { limit, cursor }, request }) => {
    const { accountId, livemode } = principalOf(request)
    const page = { cursor, limit: limit + 1 }
    const pending = await context.store.list({ accountId, livemode }, page)
    const verified = await context.verified.list({ accountId, livemode }, page)
    const nowMs = context.clock.nowMs()
    const all = [...pending.map((row) => toPending(row, nowMs)), ...verified.map(toVerified)]
    const rows = all.sort((a, b) => (a.caller_id_id < b.caller_id_id ? 1 : -1)).slice(0, limit + 1)
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.caller_id_id, view: (row) => row }) }
  }
}
