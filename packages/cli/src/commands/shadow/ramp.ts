import { Argument } from '@commander-js/extra-typings'
import { STAGES } from '../../generated/choices.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'
import { actorOption, reasonOption } from '../../shadow/change-options.ts'
import { connectMigration } from '../../shadow/connect-migration.ts'
import { printMigration } from '../../shadow/print-migration.ts'

/** `vaani shadow ramp` */
export const shadowRamp: CliCommand = (cli) =>
  createCommand(cli, 'ramp')
    .description('Change the stage')
    .addArgument(new Argument('<stage>', 'stage to go to').choices(STAGES))
    .addOption(reasonOption())
    .addOption(actorOption(cli))
    .option('--force', 'even if the evidence does not advise it; everybody who gets alerts reads the reason')
    .action(async (stage, { reason, actor, force }) => {
      const client = await connectMigration(cli)
      await printMigration(
        cli,
        await client.changeStage({ stage, reason, actor, force }, { signal: cli.signal }),
      )
    })
