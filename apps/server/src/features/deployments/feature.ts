import { contract } from '@vaani/contracts'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Meter } from '@vaani/service-kit/telemetry/meter'
import type { DeploymentsContext } from './context.ts'
import { DEPLOYMENT_EVENTS, type DeploymentEvent } from './events.ts'
import { type LicenseNeeds, startLicense } from './license-mode/start-license.ts'
import * as deployments from './migrations/0025-deployments.ts'
import type { DeploymentsPort } from './port.ts'
import { createDeployment } from './routes/create.ts'
import { readIssuer } from './routes/issuer.ts'
import { listDeployments } from './routes/list.ts'
import { retrieveDeployment } from './routes/retrieve.ts'
import { revokeDeployment } from './routes/revoke.ts'
import { type DeploymentSettings, deploymentSettings } from './settings.ts'
import { createIssuers } from './sign-tokens.ts'
import { createDeploymentStore } from './store.ts'

const declareMetrics = (meter: Meter) => ({
  expiry: meter.gauge({
    name: 'vaani_license_expiry_timestamp_seconds',
    help: 'When the license of this server expires; absent without a license',
  }),
  serving: meter.gauge({
    name: 'vaani_license_serving',
    help: 'Whether the license and its seats permit this server to answer; absent without a license',
  }),
})

type Needs = LicenseNeeds &
  Pick<Services, 'vault'> & {
    settings: DeploymentSettings
    events: Events<DeploymentEvent>
    metrics: ReturnType<typeof declareMetrics>
  }

/** Licenses for servers on premise, and the license under which this server may run. */
export const deploymentsFeature = defineFeature({
  name: 'deployments',
  contract: { deployments: contract.deployments },
  settings: deploymentSettings,
  events: DEPLOYMENT_EVENTS,
  metrics: declareMetrics,
  migrations: { '0025-deployments': deployments },
  async start(needs: Needs) {
    const { settings, database, vault, metrics } = needs
    const context: DeploymentsContext = {
      ...needs,
      store: createDeploymentStore(database),
      issuers: createIssuers(vault),
    }
    const started =
      settings.license === null
        ? null
        : await startLicense({ needs, settings: settings.license, revocationsUrl: settings.revocationsUrl })
    metrics.expiry.follow({}, () => started?.expiresAt ?? null)
    metrics.serving.follow({}, () => (started === null ? null : isServing(started) ? 1 : 0))
    const port: DeploymentsPort = { license: started }
    return {
      mounts: [
        handle(contract.deployments, {
          create: createDeployment(context),
          list: listDeployments(context),
          retrieve: retrieveDeployment(context),
          revoke: revokeDeployment(context),
          issuer: readIssuer(context),
        }),
      ],
      port,
      counters: {
        deployments: (tenant) => context.store.countUnexpired(tenant, new Date(needs.clock.nowMs())),
      },
      workers: started === null ? [] : [started.worker],
    }
  },
})

const isServing = ({ state, worker }: Awaited<ReturnType<typeof startLicense>>): boolean =>
  worker.isWorking() && state() !== 'expired' && state() !== 'revoked'
