import { contract } from '@vaani/contracts'
import { migrationDocument } from '@vaani/contracts/openapi'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { serveMade } from '@vaani/service-kit/http/inner/serve-made'
import { mountMade } from '@vaani/service-kit/http/ts-rest'
import { defineFeature, handle, type Mount } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import * as service from './migrations/0001-service.ts'
import * as retiredKeys from './migrations/0009-retired-keys.ts'
import * as vaultCheck from './migrations/0011-vault-check.ts'

const { openapi, ...probes } = contract.system

const RETRY_SECONDS = 2

const mountDocument: Mount = async (app) => {
  const make = () => Buffer.from(JSON.stringify(migrationDocument()))
  mountMade(app, openapi, serveMade('application/json; charset=utf-8', make))
}

/** Health and readiness probes, and the OpenAPI document. */
export const systemFeature = defineFeature({
  name: 'system',
  contract: { system: contract.system },
  migrations: { '0001-service': service, '0009-retired-keys': retiredKeys, '0011-vault-check': vaultCheck },
  async start({
    readiness,
    workers,
    limiterState,
  }: Pick<Services, 'readiness' | 'workers' | 'limiterState'>) {
    return {
      mounts: [
        handle(probes, {
          health: async () => ({ status: 200, body: { status: 'ok' } }),
          async ready() {
            const failing = await readiness()
            if (failing.length > 0)
              throw new ApiError('service_unavailable', `Not ready: ${failing.join(', ')}`, {
                details: failing.map((check) => ({ param: check, message: 'is not working' })),
                retryAfterSeconds: RETRY_SECONDS,
              })
            const running = workers.map(({ name }) => [name, 'ok'] as const)
            const checks = { database: 'ok', ...Object.fromEntries(running), limits: limiterState() }
            return { status: 200, body: { status: 'ok', checks } }
          },
        }),
        mountDocument,
      ],
      port: undefined,
    }
  },
})
