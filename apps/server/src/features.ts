import { listFeatures } from '@vaani/service-kit/service/list-features'
import type { Services } from '@vaani/service-kit/service/services'
import { type ServiceSettings, serviceSettings } from '@vaani/service-kit/service/service-settings'
import { adminFeature } from './features/admin/feature.ts'
import { agentsFeature } from './features/agents/feature.ts'
import { batchesFeature } from './features/batches/feature.ts'
import { callerIdsFeature } from './features/caller-ids/feature.ts'
import type { CreateSimulator } from './features/calls/carriers/carriers.ts'
import { callsFeature } from './features/calls/feature.ts'
import { consoleFeature } from './features/console/feature.ts'
import { deploymentsFeature } from './features/deployments/feature.ts'
import { doNotCallFeature } from './features/do-not-call/feature.ts'
import { identityFeature } from './features/identity/feature.ts'
import { lexiconsFeature } from './features/lexicons/feature.ts'
import { limitsFeature } from './features/limits/feature.ts'
import { membersFeature } from './features/members/feature.ts'
import { migrationFeature } from './features/migration/feature.ts'
import { modelsFeature } from './features/models/feature.ts'
import { ocrFeature } from './features/ocr/feature.ts'
import { requestsFeature } from './features/requests/feature.ts'
import { speechFeature } from './features/speech/feature.ts'
import { synthesisFeature } from './features/synthesis/feature.ts'
import { systemFeature } from './features/system/feature.ts'
import { voicesFeature } from './features/voices/feature.ts'
import { watermarkFeature } from './features/watermark/feature.ts'
import { webhooksFeature } from './features/webhooks/feature.ts'
import type { AccountAuthenticator } from './tenancy/authenticator.ts'

/** Declared once the operator’s file is read, unlike the metrics in `features`. */
export { declareCarrierMetrics } from './features/calls/carrier-metrics.ts'

/** Services that this server gives to its features, besides those of the kit. */
export interface ServerServices {
  authenticator: AccountAuthenticator
  createSimulator: CreateSimulator
  /** Whether a person reads what this process prints, so that it may create the first key and print it. */
  showsFirstKey: boolean
  /** Whether threads of the embedded speech engines start before anything is spoken. */
  warmsSpeech: boolean
}

/** The features of this server. Each may use the ports of those above it. */
export const features = listFeatures<Services & ServerServices, ServiceSettings>(serviceSettings)
  .with(webhooksFeature)
  .with(identityFeature)
  .with(agentsFeature)
  .with(watermarkFeature)
  .with(lexiconsFeature)
  .with(speechFeature)
  .with(voicesFeature)
  .with(adminFeature)
  .with(deploymentsFeature)
  .with(synthesisFeature)
  .with(modelsFeature)
  .with(ocrFeature)
  .with(batchesFeature)
  .with(doNotCallFeature)
  .with(callsFeature)
  .with(callerIdsFeature)
  .with(membersFeature)
  .with(migrationFeature)
  .with(consoleFeature)
  .with(requestsFeature)
  .with(limitsFeature)
  .with(systemFeature)

/** The server's settings. */
export type Config = ReturnType<typeof features.settings.read>
