import type { Contract } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { SystemContext } from '../context.ts'

const RETRY_SECONDS = 2

/** GET /readyz */
export function readServer(context: SystemContext): Handler<Contract['system']['ready']> {
  return async () => {
    const failing = await context.readiness()
    if (failing.length > 0)
      throw new ApiError('service_unavailable', `Not ready: ${failing.join(', ')}`, {
        details: failing.map((check) => ({ param: check, message: 'is not working' })),
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
          speech: context.speech.engine === null ? 'absent' : context.speech.engine.id,
          carrier: context.calls.carriers.join(', '),
          // A trunk that is down takes no process out of service: all of them use the same one.
          ...Object.fromEntries(
            Object.entries(context.calls.describeHealth()).map(([name, health]) => [
              `carrier.${name}`,
              health,
            ]),
          ),
        },
      },
    }
  }
}
