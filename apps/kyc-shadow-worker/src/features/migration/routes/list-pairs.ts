import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { MigrationContext } from '../context.ts'
import type { MigrationRoutes } from '../routes.ts'

/** GET /migration/pairs */
export function listPairs({ pairs }: MigrationContext): Handler<MigrationRoutes['listPairs']> {
  return async ({ query: { limit, open, ...filter } }) => {
    const rows = await pairs.list({ ...filter, limit: limit + 1, isOpen: open === 'true' })
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.pair_id, view: (row) => row }) }
  }
}
