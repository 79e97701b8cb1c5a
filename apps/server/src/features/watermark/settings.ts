import { defineSettings } from '@vaani/service-kit/settings/define-settings'
import { optional, retentionDays } from '@vaani/service-kit/settings/variables'

export interface WatermarkSettings {
  /** How long a watermark leads to its request. It is detected for as long as its key is configured. */
  watermarkRetentionDays: number
}

export const watermarkSettings = defineSettings(
  { VAANI_WATERMARK_RETENTION_DAYS: optional(retentionDays) },
  (values): WatermarkSettings => ({ watermarkRetentionDays: values.VAANI_WATERMARK_RETENTION_DAYS ?? 365 }),
)
