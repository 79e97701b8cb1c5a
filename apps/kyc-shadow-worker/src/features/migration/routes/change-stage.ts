import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { STAGES } from '@vaani/contracts/migration'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { changeByRequest } from '../change-by-request.ts'
import type { MigrationContext } from '../context.ts'
import type { MigrationRoutes } from '../routes.ts'

/** PUT /migration/stage */
export function changeStage(context: MigrationContext): Handler<MigrationRoutes['changeStage']> {
  return async ({ body: { stage, reason, actor, force }, request }) => {
    const isUp = STAGES.indexOf(stage) > STAGES.indexOf(context.flag.current().stage)
    const refused = isUp && !force ? await context.pairs.refusedCredential({ isFresh: true }) : null
    if (refused !== null) throw new ApiError('state_conflict', refused)
    const change = { kind: 'stage', stage, reason, actor, isForced: force } as const
    return { status: 200, body: await changeByRequest(context, request, change) }
  }
}
