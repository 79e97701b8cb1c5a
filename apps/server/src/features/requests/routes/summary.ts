import { type Contract, LIMITS } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { RequestsContext } from '../context.ts'

const DAY_MS = 86_400_000

/** GET /requests/summary */
export function summarizeRefusals({
  store,
  clock,
}: RequestsContext): Handler<Contract['requests']['summary']> {
  return async ({ request }) => {
    const sinceMs = clock.nowMs() - DAY_MS
    const groups = await store.count(principalOf(request), { sinceMs, limit: LIMITS.refusalsCounted })
    const sumOf = (of: 'count' | 'omitted') => groups.reduce((sum, group) => sum + group[of], 0)
    const refused = sumOf('count')
    return {
      status: 200,
      body: {
        since: new Date(sinceMs).toISOString(),
        refused,
        omitted: sumOf('omitted'),
        has_more: refused === LIMITS.refusalsCounted,
        groups: groups.map(({ omitted: _, first_at, last_at, ...group }) => ({
          ...group,
          first_at: first_at.toISOString(),
          last_at: last_at.toISOString(),
        })),
      },
    }
  }
}
