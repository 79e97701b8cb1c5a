import type { KycVersion } from '@vaani/contracts/migration'
import type { CallbackSettings } from '../../../callback-settings.ts'
import type { ShadowSettings } from '../../../settings.ts'
import { deploymentOf } from '../rules/plan.ts'
import type { PairState } from '../rules/pair-state.ts'
import type { Deployment } from '../rules/schedules.ts'
import type { PairSettings } from '../settings.ts'
import { createDeploymentClient, type DeploymentClient } from './deployment-client.ts'

/** Both deployments, and the keys for each side of a pair there. */
export interface Deployments extends AsyncDisposable {
  readonly clients: Readonly<Record<Deployment, DeploymentClient>>
  /** Key of a side; undefined without one. */
  keyOf(pair: PairState, version: KycVersion): string | undefined
  /** Where a deployment sends its callback of a pair; null without callbacks. */
  callbackUrl(deployment: Deployment, pairId: string): string | null
}

export function openDeployments(settings: ShadowSettings & CallbackSettings & PairSettings): Deployments {
  const { candidateApiKey, primaryApiKey, callbackBaseUrl, callbackSecrets } = settings
  const ownKeys = { primary: settings.primaryOwnApiKey ?? primaryApiKey, candidate: candidateApiKey }
  const callersKeys = {
    primary: primaryApiKey,
    candidate: settings.candidateCallersApiKey ?? candidateApiKey,
  }
  const common = {
    // Reads besides the submissions.
    maxConnections: settings.sendConcurrency * 2,
    sendTimeoutMs: settings.sendTimeoutMs,
  }
  const clients = {
    primary: createDeploymentClient({ ...common, url: settings.primaryUrl }),
    candidate: createDeploymentClient({ ...common, url: settings.candidateUrl }),
  }
  return {
    clients,
    keyOf(pair, version) {
      const deployment = deploymentOf(pair, version)
      return (pair.sides[version].sentBy === 'shadow' ? ownKeys : callersKeys)[deployment]
    },
    callbackUrl(deployment, pairId) {
      if (callbackBaseUrl === null || callbackSecrets[deployment].length === 0) return null
      const base = callbackBaseUrl.href.replace(/\/$/, '')
      return `${base}/callbacks/${deployment}?pair=${pairId}`
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(clients).map((client) => client[Symbol.asyncDispose]()))
    },
  }
}
