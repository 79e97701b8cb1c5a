import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { changeByRequest } from '../change-by-request.ts'
import type { MigrationContext } from '../context.ts'
import type { MigrationRoutes } from '../routes.ts'

/** POST /migration/rollback */
export function rollBack(context: MigrationContext): Handler<MigrationRoutes['rollBack']> {
  return async ({ body: { reason, actor }, request }) => {
    const change = { kind: 'rollback', reason, actor } as const
    return { status: 200, body: await changeByRequest(context, request, change) }
  }
}
