import { CONDITION_NAMES, type ConditionName } from '@vaani/contracts/migration'

export type AllowedRates = Readonly<Record<ConditionName, number>>

/**
 * Highest rates that are allowed unless the operator sets others. A wrong approval or refusal harms a person, so it needs the most
 * evidence: 4,463 pairs without one. A slow answer harms nobody much.
 */
export const DEFAULT_ALLOWED_RATES: AllowedRates = {
  worst_mismatches: 0.001,
  serious_mismatches: 0.005,
  mild_mismatches: 0.02,
  candidate_errors: 0.005,
  unconfirmed_ids: 0.001,
  missing_callbacks: 0.005,
  unfinished_pairs: 0.005,
  slow_answers: 0.05,
  slow_decisions: 0.05,
}

const ENTRY = /^(?<name>\w+)\s*=\s*(?<percent>\d{1,2}(?:\.\d{1,6})?)\s*%$/
const isCondition = (name: string): name is ConditionName => CONDITION_NAMES.some((known) => known === name)

/**
 * Parses rates such as `worst_mismatches=0.1%,slow_answers=10%`; those that are not named stay the default. Null if it is anything
 * else, or a rate is 0, of which no number of pairs is evidence.
 */
export function parseAllowedRates(text: string): AllowedRates | null {
  const rates: Record<ConditionName, number> = { ...DEFAULT_ALLOWED_RATES }
  for (const entry of text.split(',')) {
    const { name = '', percent = '' } = ENTRY.exec(entry.trim())?.groups ?? {}
    const rate = Number(percent) / 100
    if (!isCondition(name) || rate <= 0) return null
    rates[name] = rate
  }
  return rates
}
