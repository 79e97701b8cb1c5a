import { CliError } from '../../failure/cli-error.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'
import { actorOption, reasonOption } from '../../shadow/change-options.ts'
import { connectMigration } from '../../shadow/connect-migration.ts'
import { printMigration } from '../../shadow/print-migration.ts'

/** `vaani shadow promote` */
export const shadowPromote: CliCommand = (cli) =>
  createCommand(cli, 'promote')
    .description('Let v2 answer: to `live`, where v1 is the shadow, and from there to `complete`')
    .addOption(reasonOption())
    .addOption(actorOption(cli))
    .option('--force', 'even if the evidence does not advise it; everybody who gets alerts reads the reason')
    .action(async ({ reason, actor, force }) => {
      const { signal } = cli
      const client = await connectMigration(cli)
      const { stage } = await client.retrieve({ signal })
      if (stage === 'complete')
        throw new CliError('the migration is complete', { family: 'conflict', code: 'state_conflict' })
      const next = stage === 'live' ? 'complete' : 'live'
      await printMigration(cli, await client.changeStage({ stage: next, reason, actor, force }, { signal }))
    })
