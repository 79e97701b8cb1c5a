import { sql } from 'kysely'
import type { Contract } from '@vaani/contracts'
import type { AppContext } from '../context.ts'
import { ApiError } from '../http/api-error.ts'
import type { Handlers } from '../http/ts-rest.ts'

/** GET /healthz, /readyz and /openapi.json */
export function systemHandlers(context: AppContext, document: object): Handlers<Contract['system']> {
  return {
    health: async () => ({ status: 200, body: { status: 'ok' } }),
    ready: async () => {
      if (context.stopping.aborted)
        throw new ApiError('service_unavailable', 'The server is stopping', { retryAfterSeconds: 5 })
      await sql`select 1`.execute(context.database).catch((cause: unknown) => {
        throw new ApiError('service_unavailable', 'The database does not answer', {
          retryAfterSeconds: 1,
          cause,
        })
      })
      return {
        status: 200,
        body: {
          status: 'ok',
          checks: {
            database: 'ok',
            limits: context.limiterState(),
            speech: context.engine === null ? 'absent' : context.engine.id,
            carrier: context.config.carrier,
          },
        },
      }
    },
    openapi: async () => ({ status: 200, body: document as Record<string, never> }),
  }
}
