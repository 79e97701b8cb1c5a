import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { changeByRequest } from '../change-by-request.ts'
import type { MigrationContext } from '../context.ts'
import type { MigrationRoutes } from '../routes.ts'

/** PUT /migration/stage */
export function changeStage(context: MigrationContext): Handler<MigrationRoutes['changeStage']> {
  return async ({ body: { stage, reason, actor, force }, request }) => {
    const change = { kind: 'stage', stage, reason, actor, isForced: force } as const
    return { status: 200, body: await changeByRequest(context, request, change) }
  }
}
