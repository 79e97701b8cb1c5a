import { migrationContract } from '@vaani/contracts/migration'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { type Mount, mountChecked } from '@vaani/service-kit/http/ts-rest'
import { defineFeature } from '@vaani/service-kit/service/define-feature'
import type { FastifyRequest } from 'fastify'
import { type AskWorker, createAskWorker } from './ask-worker.ts'
import type { MigrationPort } from './port.ts'
import { type MigrationSettings, migrationSettings } from './settings.ts'

const { submit: _submit, reportPage: _reportPage, ...passedOn } = migrationContract.migration

/** Changes in the history of the migration, which names who made them. */
const CHANGES: ReadonlySet<string> = new Set([
  passedOn.changeStage.metadata.operation,
  passedOn.rollBack.metadata.operation,
  passedOn.setKillSwitch.metadata.operation,
  passedOn.restartEvidence.metadata.operation,
])

/** Passes what the console asks of a migration on to its worker, which alone decides. The worker's key stays here. */
export const migrationFeature = defineFeature({
  name: 'migration',
  // The worker serves it.
  contract: {},
  settings: migrationSettings,
  async start({ settings: { worker } }: { settings: MigrationSettings }) {
    const port: MigrationPort = { hasWorker: worker !== null }
    return { mounts: worker === null ? [] : [mountPassedOn(createAskWorker(worker))], port }
  },
})

const mountPassedOn =
  (askWorker: AskWorker): Mount =>
  async (app) => {
    for (const route of Object.values(passedOn))
      await mountChecked(app, route, async ({ request }) => {
        if (!principalOf(request).operator)
          throw new ApiError('forbidden', 'This requires a key of an operator')
        const isChange = CHANGES.has(route.metadata.operation)
        const body = isChange ? { ...Object(request.body), actor: actorOf(request) } : request.body
        const { method, responses } = route
        const asked = { method, target: request.url, body: body ?? undefined, answer: responses[200] }
        return { status: 200, body: await askWorker(asked) }
      })
  }

/** Who does it, whatever the request says: a person by name, a key by its id. */
function actorOf(request: FastifyRequest): string {
  const { member, keyId } = principalOf(request)
  return member?.name ?? keyId
}
