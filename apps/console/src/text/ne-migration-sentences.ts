import type { MigrationCondition, MigrationVerdict } from '@vaani/client'
import { inDigits, neManner } from './ne-manner.ts'
import { neMigration } from './ne-migration.ts'

const share = (value: number): string =>
  value.toLocaleString(neManner.locale, { style: 'percent', maximumSignificantDigits: 2 })

/** त्यसबिना कलब्याक मागिँदैन। */
const NO_ADDRESS = ' VAANI_SHADOW_CALLBACK_BASE_URL तोकिएको छ कि हेर्नुहोस्।'

/** प्रमाणले किन त्यसो भन्छ। */
export function becauseInNepali(verdict: MigrationVerdict): string {
  const { advice, missing_pairs: missing, pairs_per_day: perDay, conditions } = verdict
  const describe = (wanted: (condition: MigrationCondition) => boolean): string => {
    const found = conditions.find(wanted)
    return found === undefined ? '' : ` ${describeRate(found)}`
  }
  switch (advice) {
    case 'promote':
      return 'सबै दर स्वीकार्य सीमाभित्र छन्।'
    case 'roll_back':
      return `एउटा दर स्वीकार्य सीमाभन्दा माथि छ।${describe(({ state }) => state === 'broken')}`
    case 'hold':
      return conditions.some(({ missing_trials }) => missing_trials === null)
        ? `देखिएको दरमा थप जोडीले केही बदल्दैन।${describe(({ missing_trials }) => missing_trials === null)}`
        : `अरू सबै दर स्वीकार्य सीमाभित्र छन्, र थप जोडीले यो बदल्दैन।${describe(({ state }) => state !== 'met')}`
    case 'not_enough_evidence':
      return missing === null
        ? 'अझै प्रमाण चाहिन्छ।'
        : `थप ${inDigits(missing)} जोडी चाहिन्छ${describeDays(missing, perDay)}।`
    case 'done':
      return 'v2 ले जवाफ दिन्छ, र अब केही दाँजिँदैन।'
  }
}

function describeRate({ name, trials, lower, upper, allowed }: MigrationCondition): string {
  const label = neMigration.conditionNames[name]
  if (trials === 0)
    return `${label}: यो जाँच्ने जोडी अझै आएको छैन।${name === 'missing_callbacks' ? NO_ADDRESS : ''}`
  const range = lower === 0 ? `बढीमा ${share(upper)}` : `${share(lower)} देखि ${share(upper)}`
  return `${label}: ${range}, जब कि ${share(allowed)} सम्म स्वीकार्य छ।`
}

const describeDays = (pairs: number, perDay: number | null): string =>
  perDay === null || perDay <= 0 ? '' : `, यही दरमा करिब ${inDigits(Math.ceil(pairs / perDay))} दिन`
