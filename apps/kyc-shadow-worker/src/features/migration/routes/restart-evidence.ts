import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { changeByRequest } from '../change-by-request.ts'
import type { MigrationContext } from '../context.ts'
import type { MigrationRoutes } from '../routes.ts'

/** POST /migration/evidence/restart */
export function restartEvidence(context: MigrationContext): Handler<MigrationRoutes['restartEvidence']> {
  return async ({ body: { reason, actor }, request }) => {
    const change = { kind: 'evidence_restart', reason, actor } as const
    return { status: 200, body: await changeByRequest(context, request, change) }
  }
}
