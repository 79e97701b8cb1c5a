import { toPage } from '@vaani/service-kit/http/page'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { MigrationContext } from '../context.ts'
import type { MigrationRoutes } from '../routes.ts'

/** GET /migration/changes */
export function listChanges({ flag }: MigrationContext): Handler<MigrationRoutes['listChanges']> {
  return async ({ query: { limit, cursor } }) => {
    const rows = await flag.listChanges({ limit: limit + 1, cursor })
    return { status: 200, body: toPage({ rows, limit, id: (row) => row.change_id, view: (row) => row }) }
  }
}
