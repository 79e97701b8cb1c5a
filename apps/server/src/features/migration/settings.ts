import { ConfigError, defineSettings } from '@vaani/service-kit/settings/define-settings'
import { httpUrl, optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'

/** The worker of a migration from KYC v1 to v2 that the operators' console steers. */
export interface WorkerSettings {
  url: URL
  apiKey: string
}

export interface MigrationSettings {
  worker: WorkerSettings | null
}

export const migrationSettings = defineSettings(
  {
    VAANI_MIGRATION_URL: optional(httpUrl),
    VAANI_MIGRATION_API_KEY: optional(z.string().min(1)),
  },
  ({ VAANI_MIGRATION_URL: url, VAANI_MIGRATION_API_KEY: apiKey }): MigrationSettings => {
    if (url !== undefined && apiKey !== undefined) return { worker: { url: new URL(url), apiKey } }
    if ((url ?? apiKey) === undefined) return { worker: null }
    throw new ConfigError('VAANI_MIGRATION_URL and VAANI_MIGRATION_API_KEY must be set together')
  },
)
