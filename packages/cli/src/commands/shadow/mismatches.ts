import { Option } from '@commander-js/extra-typings'
import { SEVERITIES } from '../../generated/choices.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { connectMigration } from '../../shadow/connect-migration.ts'
import { differencesOf, endingsOf } from '../../shadow/pair-view.ts'
import { take } from '../../input/take.ts'

/** `vaani shadow mismatches` */
export const shadowMismatches: CliCommand = (cli) =>
  createCommand(cli, 'mismatches')
    .description('List the mismatches that nobody has acknowledged, newest first')
    .addOption(new Option('--severity <severity>', 'only these').choices(SEVERITIES))
    .option('--all', 'also those that were acknowledged')
    .addOption(limitOption())
    .action(async ({ severity, all, limit }) => {
      const client = await connectMigration(cli)
      const which = all ? ({ outcome: 'mismatched' } as const) : ({ open: 'true' } as const)
      const pairs = client.listPairs({ ...which, severity, limit: pageOf(limit) }, { signal: cli.signal })
      await cli.output.list(take(pairs, limit), {
        pair_id: (pair) => pair.pair_id,
        severity: (pair) => pair.severity,
        'v1 -> v2': endingsOf,
        created_at: (pair) => pair.created_at,
        differs_in: (pair) => differencesOf(pair).join(', '),
        ...(all && { note: (pair) => pair.note }),
      })
    })
