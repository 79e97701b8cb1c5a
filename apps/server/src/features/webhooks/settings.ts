import { defineSettings } from '@vaani/service-kit/settings/define-settings'
import { cidrs, list, optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'

export interface WebhookSettings {
  /** Ranges of non-public addresses that webhooks may go to. */
  callbackAllowCidrs: readonly string[]
  webhookScheduleSeconds: readonly number[] | undefined
}

const secondsList = z
  .string()
  .transform((text) => list(text).map(Number))
  .refine((seconds) => seconds.length > 0 && seconds.every((value) => Number.isFinite(value) && value >= 0), {
    error: 'must be seconds separated by commas',
  })

export const webhookSettings = defineSettings(
  {
    VAANI_CALLBACK_ALLOW_CIDRS: optional(cidrs),
    VAANI_WEBHOOK_SCHEDULE_SECONDS: optional(secondsList),
  },
  (values): WebhookSettings => ({
    callbackAllowCidrs: values.VAANI_CALLBACK_ALLOW_CIDRS ?? [],
    webhookScheduleSeconds: values.VAANI_WEBHOOK_SCHEDULE_SECONDS,
  }),
)
