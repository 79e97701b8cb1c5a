import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'
import type { Handlers } from '@vaani/service-kit/http/ts-rest'
import type { AppContext } from '../../context.ts'

const RETRY_SECONDS = 2

/** GET /healthz and /readyz */
export function systemHandlers(context: AppContext): Handlers<Omit<Contract['system'], 'openapi'>> {
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
  }
}
