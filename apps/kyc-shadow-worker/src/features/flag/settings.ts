import { defineSettings } from '@vaani/service-kit/settings/define-settings'
import { optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'

export interface FlagSettings {
  /** Module whose default export is an OpenFeature provider; undefined if the API decides the stage. */
  openFeatureProvider: string | undefined
}

export const flagSettings = defineSettings(
  { VAANI_SHADOW_OPENFEATURE_PROVIDER: optional(z.string().max(1000)) },
  (values): FlagSettings => ({ openFeatureProvider: values.VAANI_SHADOW_OPENFEATURE_PROVIDER }),
)
