import { listFeatures } from '@vaani/service-kit/service/list-features'
import type { Services } from '@vaani/service-kit/service/services'
import { joinSettings } from '@vaani/service-kit/settings/define-settings'
import { serviceSettings } from '@vaani/service-kit/service/service-settings'
import type { Authenticator } from '@vaani/service-kit/http/authenticator'
import { type CallbackSettings, callbackSettings } from './callback-settings.ts'
import { alertsFeature } from './features/alerts/feature.ts'
import { evidenceFeature } from './features/evidence/feature.ts'
import { flagFeature } from './features/flag/feature.ts'
import { migrationFeature } from './features/migration/feature.ts'
import { pairsFeature } from './features/pairs/feature.ts'
import { systemFeature } from './features/system/feature.ts'
import { type ShadowSettings, shadowSettings } from './settings.ts'
import type { Spool } from './spool/spool.ts'

/** Services that the worker gives to its features, besides those of the kit. */
export interface WorkerServices {
  authenticator: Authenticator
  spool: Spool
  shadow: ShadowSettings
  callbacks: CallbackSettings
  /** Folder that also holds the kill file. */
  dataDirectory: string
}

/** The features of the worker. Each may use the ports of those above it. */
export const features = listFeatures<Services & WorkerServices, WorkerConfig>(
  joinSettings(joinSettings(serviceSettings, shadowSettings), callbackSettings),
)
  .with(evidenceFeature)
  .with(alertsFeature)
  .with(flagFeature)
  .with(pairsFeature)
  .with(migrationFeature)
  .with(systemFeature)

type WorkerConfig = ReturnType<typeof serviceSettings.read> & ShadowSettings & CallbackSettings

/** The worker's settings. */
export type Config = ReturnType<typeof features.settings.read>
