import type { Migration, MigrationCondition, MigrationErrorDifference } from '@vaani/client'
import { CliError } from '../failure/cli-error.ts'
import type { Cli } from '../cli.ts'

/** Prints a migration: for a person, the conditions as a table below. */
export async function printMigration({ output }: Pick<Cli, 'output'>, migration: Migration): Promise<void> {
  await output.resource(migration, viewOf(migration))
  const { conditions } = migration.verdict
  if (output.isJson || conditions.length === 0) return
  await output.line(null, '')
  await output.list(conditions, {
    state: ({ state }) => state,
    condition: ({ label }) => label,
    observed: ({ events, trials }) => `${events} of ${trials}`,
    bounds: ({ lower, upper }) => `${percent(lower)} to ${percent(upper)}`,
    allowed: ({ allowed }) => percent(allowed),
    missing: missingOf,
  })
}

const viewOf = ({ verdict, kill_switch: { engaged, source }, pairs, ...migration }: Migration): object => ({
  stage: migration.stage,
  advice: verdict.advice,
  because: verdict.because,
  ...(migration.attention.length > 0 && { attention: migration.attention.join(' ') }),
  answers: migration.answers,
  shadow_share: percent(migration.shadow_share),
  kill_switch: engaged ? `engaged by ${source}` : 'off',
  changed: `${migration.changed_at} by ${migration.changed_by}`,
  evidence_since: migration.evidence_since,
  pairs: `${pairs.ended} ended, ${pairs.waiting} waiting, ${pairs.sent_today} sent today${pairs.daily_budget === null ? '' : ` of ${pairs.daily_budget}`}`,
  errors: verdict.error_difference === null ? 'no pair yet' : errorsOf(verdict.error_difference),
  flag_source: migration.flag_source,
})

const errorsOf = ({ pairs, only_v1, only_v2, value, lower, upper }: MigrationErrorDifference): string =>
  `v2 alone failed in ${only_v2} of ${pairs} pairs, v1 alone in ${only_v1}: difference ${percent(value)} (${percent(lower)} to ${percent(upper)})`

/** To two digits: the evidence has no more. */
const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`

const missingOf = ({ state, missing_trials }: MigrationCondition): string => {
  if (state !== 'open') return ''
  return missing_trials === null ? 'no number is enough' : `${missing_trials} more`
}

/** Returns the error that ends `status`, unless the evidence advises to promote or all is done: a script that continues after `&&` needs that. */
export function failureOf({ verdict: { advice } }: Migration): CliError | undefined {
  switch (advice) {
    case 'promote':
    case 'done':
      return undefined
    case 'not_enough_evidence':
      return new CliError('there is not enough evidence yet', { family: 'pending', code: advice })
    case 'roll_back':
      return new CliError('the evidence advises to roll back', { family: 'unsuccessful', code: advice })
    case 'hold':
      return new CliError('the evidence advises to hold: a person must look into it', {
        family: 'review',
        code: advice,
      })
  }
}
