import type { Contract } from '@vaani/contracts'
import type { AppContext } from '../context.ts'
import { ApiError } from '../http/api-error.ts'
import type { Handlers } from '../http/ts-rest.ts'

const RETRY_SECONDS = 2

/** GET /healthz, /readyz and /openapi.json */
export function systemHandlers(context: AppContext, document: object): Handlers<Contract['system']> {
  return {
    health: async () => ({ status: 200, body: { status: 'ok' } }),
    ready: async () => {
      const failing = await context.readiness()
      if (failing.length > 0)
        throw new ApiError('service_unavailable', `Not ready: ${failing.join(', ')}`, {
          details: failing.map((check) => ({ param: check, message: 'does not work' })),
          retryAfterSeconds: RETRY_SECONDS,
        })
      return {
        status: 200,
        body: {
          status: 'ok',
          checks: {
            database: 'ok',
            ...Object.fromEntries(context.workers.map(({ name }) => [name, 'ok'])),
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
