import type { EngineSettings } from '@vaani/identity-checks'
import { DEFAULT_POLICY } from '@vaani/identity-checks/policies'
import { defineSettings } from '@vaani/service-kit/settings/define-settings'
import { httpUrl, optional, retentionDays } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'
import type { V1End } from './rules/describe-v1.ts'

export interface IdentitySettings {
  /** Name of the policy that decides verifications. */
  identityPolicy: string
  /** File with the operator's own policies. */
  identityPoliciesFile: string | undefined
  /** Folder with the operator's own templates of documents. */
  identityTemplates: string | undefined
  /** Face and liveness engines and the reader of photographs that the operator adds, and the directory of their packages. */
  engines: EngineSettings
  /** File with engines of each mode, instead. */
  enginesFile: string | undefined
  /** How long the media of a decided verification is kept. */
  mediaRetentionDays: number
  v1End: V1End
}

const date = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: 'must be a date, such as 2027-06-30' })
  .transform((text) => new Date(text))
const address = httpUrl.transform((text) => new URL(text).href)

export const identitySettings = defineSettings(
  {
    VAANI_IDENTITY_POLICY: optional(z.string()),
    VAANI_IDENTITY_POLICIES_FILE: optional(z.string()),
    VAANI_IDENTITY_TEMPLATES: optional(z.string()),
    VAANI_FACE_ENGINE: optional(z.string()),
    VAANI_LIVENESS_ENGINE: optional(z.string()),
    VAANI_IDENTITY_ENGINES_FILE: optional(z.string()),
    VAANI_PHOTO_READER: optional(z.enum(['pp-ocr'])),
    VAANI_ENGINES_DIRECTORY: optional(z.string()),
    VAANI_ENGINE_SECRET: optional(z.string().min(16)),
    VAANI_ENGINE_TIMEOUT_MS: optional(z.coerce.number().int().min(1).max(120_000)),
    VAANI_MEDIA_RETENTION_DAYS: optional(retentionDays),
    VAANI_KYC_V1_SUNSET: optional(date),
    VAANI_KYC_V1_GUIDE_URL: optional(address),
  },
  (values): IdentitySettings => ({
    identityPolicy: values.VAANI_IDENTITY_POLICY ?? DEFAULT_POLICY.name,
    identityPoliciesFile: values.VAANI_IDENTITY_POLICIES_FILE,
    identityTemplates: values.VAANI_IDENTITY_TEMPLATES,
    engines: {
      face: values.VAANI_FACE_ENGINE,
      liveness: values.VAANI_LIVENESS_ENGINE,
      photoReader: values.VAANI_PHOTO_READER,
      directory: values.VAANI_ENGINES_DIRECTORY,
      secret: values.VAANI_ENGINE_SECRET,
      timeoutMs: values.VAANI_ENGINE_TIMEOUT_MS,
    },
    enginesFile: values.VAANI_IDENTITY_ENGINES_FILE,
    mediaRetentionDays: values.VAANI_MEDIA_RETENTION_DAYS ?? 30,
    v1End: { sunset: values.VAANI_KYC_V1_SUNSET, guideUrl: values.VAANI_KYC_V1_GUIDE_URL },
  }),
)
