import { sql } from 'kysely'
import type { Contract } from '@vaani/contracts'
import type { AppContext } from '../context.ts'
import { ApiError } from '../http/api-error.ts'
import type { Handlers } from '../http/ts-rest.ts'
import { remember } from './remember.ts'

/** Anonymous callers must not be able to keep the database busy. */
const DATABASE_ASKED_EACH_MS = 500

/** GET /healthz and /readyz */
export function systemHandlers(context: AppContext): Handlers<Omit<Contract['system'], 'openapi'>> {
  const askDatabase = remember(() => sql`select 1`.execute(context.database), {
    forMs: DATABASE_ASKED_EACH_MS,
    clock: context.clock,
  })
  return {
    health: async () => ({ status: 200, body: { status: 'ok' } }),
    ready: async () => {
      if (context.stopping.aborted)
        throw new ApiError('service_unavailable', 'The server is stopping', { retryAfterSeconds: 5 })
      await askDatabase().catch((cause: unknown) => {
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
  }
}
