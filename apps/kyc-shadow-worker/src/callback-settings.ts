import { ConfigError, defineSettings } from '@vaani/service-kit/settings/define-settings'
import { httpUrl, list, optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'

/** How the two deployments call the worker back. */
export interface CallbackSettings {
  /** Where they send callbacks; null without callbacks. */
  readonly callbackBaseUrl: URL | null
  /** Secrets that their callbacks are signed with; none without a receiver for that deployment. */
  readonly callbackSecrets: Readonly<Record<'primary' | 'candidate', readonly string[]>>
}

const secrets = z.string().transform(list)

export const callbackSettings = defineSettings(
  {
    VAANI_SHADOW_CALLBACK_BASE_URL: optional(httpUrl.transform((text) => new URL(text))),
    VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET: optional(secrets),
    VAANI_SHADOW_PRIMARY_WEBHOOK_SECRET: optional(secrets),
  },
  (values): CallbackSettings => {
    const callbackBaseUrl = values.VAANI_SHADOW_CALLBACK_BASE_URL ?? null
    const candidate = values.VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET ?? []
    if (callbackBaseUrl !== null && candidate.length === 0)
      throw new ConfigError(
        'VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET must be set if VAANI_SHADOW_CALLBACK_BASE_URL is, because a callback that cannot be verified is none',
      )
    return {
      callbackBaseUrl,
      callbackSecrets: { candidate, primary: values.VAANI_SHADOW_PRIMARY_WEBHOOK_SECRET ?? [] },
    }
  },
)
