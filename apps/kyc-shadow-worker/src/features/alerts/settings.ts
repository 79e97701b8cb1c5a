import { ConfigError, defineSettings } from '@vaani/service-kit/settings/define-settings'
import { httpUrl, optional } from '@vaani/service-kit/settings/variables'
import { createSigner, type Signer } from '@vaani/webhook-verifier'
import { z } from 'zod'

export interface AlertSettings {
  alerts: {
    /** Receiver of signed webhooks; null without one. */
    webhook: { url: string; signer: Signer } | null
    /** Incoming webhook of Slack, or of a chat that reads the same; null without one. */
    slackUrl: string | null
  }
}

const signer = z.string().transform((secret, context) => {
  try {
    return createSigner({ secrets: secret })
  } catch {
    context.addIssue('must be a signing secret')
    return z.NEVER
  }
})

export const alertSettings = defineSettings(
  {
    VAANI_SHADOW_ALERT_URL: optional(httpUrl),
    VAANI_SHADOW_ALERT_SECRET: optional(signer),
    VAANI_SHADOW_SLACK_URL: optional(httpUrl),
  },
  (values): AlertSettings => ({
    alerts: {
      webhook: toWebhook(values.VAANI_SHADOW_ALERT_URL, values.VAANI_SHADOW_ALERT_SECRET),
      slackUrl: values.VAANI_SHADOW_SLACK_URL ?? null,
    },
  }),
)

function toWebhook(url: string | undefined, signer: Signer | undefined) {
  if (url === undefined) return null
  if (signer === undefined)
    throw new ConfigError('VAANI_SHADOW_ALERT_SECRET must be set if VAANI_SHADOW_ALERT_URL is')
  return { url, signer }
}
