import { randomBytes } from 'node:crypto'
import { type Contract, LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { stringify } from 'yaml'
import type { DeploymentsContext } from '../context.ts'
import { makeManifest } from '../rules/make-manifest.ts'
import type { DeploymentRow } from '../store.ts'
import { toDeployment } from '../view.ts'

const DAY_SECONDS = 86_400
const KEY_BYTES = 32

/** POST /enterprise/deploy */
export function createDeployment(context: DeploymentsContext): Handler<Contract['deployments']['create']> {
  const { store, issuers, clock, makeId, events, settings } = context
  const [issuer] = issuers
  return async ({ body, request }) => {
    const { accountId, livemode } = principalOf(request)
    const { name, base_model, target, replicas, options } = body
    if (settings.license !== null)
      throw new ApiError('forbidden', 'A server that runs under a license cannot issue licenses')
    const { seats = replicas, models, expires_in_days } = options
    if (seats < replicas)
      throw new ApiError('invalid_request', 'options.seats: must be at least replicas', {
        param: 'options.seats',
      })
    // Licenses count in whole seconds.
    const iat = Math.floor(clock.nowMs() / 1000)
    const exp = iat + expires_in_days * DAY_SECONDS
    const row: DeploymentRow = {
      deployment_id: makeId('deployment'),
      account_id: accountId,
      livemode,
      name,
      base_model,
      target,
      replicas,
      models: [...new Set([base_model, ...models])],
      seats,
      created_at: new Date(iat * 1000),
      expires_at: new Date(exp * 1000),
      revoked_at: null,
    }
    const license = await issuer.signLicense({
      jti: row.deployment_id,
      iat,
      exp,
      name,
      livemode,
      models: row.models,
      seats,
    })
    const documents = makeManifest(target, {
      name,
      replicas,
      image: settings.deployImage,
      license,
      issuerKey: issuer.publicKey,
      revocationsUrl: settings.revocationsUrl,
      encryptionKey: randomBytes(KEY_BYTES).toString('base64'),
      databasePassword: randomBytes(KEY_BYTES).toString('hex'),
    })
    const manifest = documents.map((document) => stringify(document)).join('---\n')
    if (!(await store.create(row)))
      throw new ApiError(
        'state_conflict',
        `The account already has ${LIMITS.deploymentsPerAccount} deployments whose licenses have not expired, which is the maximum`,
      )
    events.record('deployment_created', { deployment_id: row.deployment_id, account_id: accountId })
    return { status: 201, body: { ...toDeployment(row), license, manifest } }
  }
}
