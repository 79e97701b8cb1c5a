import { defineSettings } from '@vaani/service-kit/settings/define-settings'
import { optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'

export interface AdminSettings {
  /** Preset key for the operator, for scripts. */
  bootstrapApiKey: string | undefined
}

export const adminSettings = defineSettings(
  {
    VAANI_BOOTSTRAP_API_KEY: optional(
      z
        .string()
        .regex(/^sk_(test|live)_[A-Za-z0-9_-]+$/, 'must begin with sk_test_ or sk_live_')
        .min(24)
        .max(200),
    ),
  },
  (values): AdminSettings => ({ bootstrapApiKey: values.VAANI_BOOTSTRAP_API_KEY }),
)
