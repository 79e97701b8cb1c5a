import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { changeByRequest } from '../change-by-request.ts'
import type { MigrationContext } from '../context.ts'
import type { MigrationRoutes } from '../routes.ts'

/** PUT /migration/kill-switch */
export function setKillSwitch(context: MigrationContext): Handler<MigrationRoutes['setKillSwitch']> {
  return async ({ body: { engaged, reason, actor }, request }) => {
    const change = { kind: 'kill_switch', isKilled: engaged, reason, actor } as const
    return { status: 200, body: await changeByRequest(context, request, change) }
  }
}
