import { defineSettings } from '@vaani/service-kit/settings/define-settings'
import { optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'
import {
  type AllowedRates,
  DEFAULT_ALLOWED_RATES,
  parseAllowedRates,
} from '../../rules/gate/allowed-rates.ts'

export interface EvidenceSettings {
  /** Highest rates that the gate allows. */
  allowedRates: AllowedRates
}

const allowedRates = z.string().transform((text, context) => {
  const rates = parseAllowedRates(text)
  if (rates !== null) return rates
  context.addIssue(
    'must be rates of conditions above 0 % and below 100 %, e.g. worst_mismatches=0.1%,slow_answers=5%',
  )
  return z.NEVER
})

export const evidenceSettings = defineSettings(
  { VAANI_SHADOW_ALLOWED: optional(allowedRates) },
  (values): EvidenceSettings => ({ allowedRates: values.VAANI_SHADOW_ALLOWED ?? DEFAULT_ALLOWED_RATES }),
)
