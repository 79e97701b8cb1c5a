import { type Stage, STAGES } from '@vaani/contracts/migration'
import { defineSettings } from '@vaani/service-kit/settings/define-settings'
import { httpUrl, optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'

/** Settings that the gateway and the worker share. */
export interface ShadowSettings {
  /** Deployment that answers v1. */
  primaryUrl: URL
  /** Deployment that answers v2. May be the same. */
  candidateUrl: URL
  /** Key of ours at the candidate, so that the shadow uses nothing of the callers' quotas. */
  candidateApiKey: string
  /** Key at the primary, of the callers' account: reads decisions back, and sends what measures the noise. */
  primaryApiKey: string | undefined
  /** Stage until the first change. */
  initialStage: Stage
  /** Whether the environment engages the kill switch. */
  isKilled: boolean
}

const origin = httpUrl
  .refine((text) => new URL(text).pathname === '/', 'must have no path')
  .transform((text) => new URL(text))
const apiKey = z.string().regex(/^[\x21-\x7e]+$/, 'must be an API key')

export const shadowSettings = defineSettings(
  {
    VAANI_SHADOW_PRIMARY_URL: origin,
    VAANI_SHADOW_CANDIDATE_URL: origin,
    VAANI_SHADOW_CANDIDATE_API_KEY: apiKey,
    VAANI_SHADOW_PRIMARY_API_KEY: optional(apiKey),
    VAANI_SHADOW_INITIAL_STAGE: optional(z.enum(STAGES)),
    VAANI_SHADOW_KILL: optional(z.enum(['0', '1'])),
  },
  (values): ShadowSettings => ({
    primaryUrl: values.VAANI_SHADOW_PRIMARY_URL,
    candidateUrl: values.VAANI_SHADOW_CANDIDATE_URL,
    candidateApiKey: values.VAANI_SHADOW_CANDIDATE_API_KEY,
    primaryApiKey: values.VAANI_SHADOW_PRIMARY_API_KEY,
    initialStage: values.VAANI_SHADOW_INITIAL_STAGE ?? 'off',
    isKilled: values.VAANI_SHADOW_KILL === '1',
  }),
)
