import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { DeploymentEvent } from './events.ts'
import type { DeploymentSettings } from './settings.ts'
import type { LicenseIssuer } from './sign-tokens.ts'
import type { DeploymentStore } from './store.ts'

/** Dependencies of the deployment routes. */
export interface DeploymentsContext extends Pick<Services, 'clock' | 'makeId'> {
  store: DeploymentStore
  /** The current one first. */
  issuers: readonly [LicenseIssuer, ...LicenseIssuer[]]
  events: Events<DeploymentEvent>
  settings: DeploymentSettings
}
