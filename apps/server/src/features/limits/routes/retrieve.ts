import type { Contract } from '@vaani/contracts'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { LimitsContext } from '../context.ts'
import { readUse } from '../read-use.ts'

/** GET /v1/limits */
export function retrieveLimits(context: LimitsContext): Handler<Contract['limits']['retrieve']> {
  return async ({ request }) => ({
    status: 200,
    body: await readUse({ ...context, principal: principalOf(request) }),
  })
}
