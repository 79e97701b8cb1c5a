import { type CliCommand, createCommand } from '../../create-command.ts'
import { actorOption, reasonOption } from '../../shadow/change-options.ts'
import { connectMigration } from '../../shadow/connect-migration.ts'
import { printMigration } from '../../shadow/print-migration.ts'

/** `vaani shadow rollback` */
export const shadowRollback: CliCommand = (cli) =>
  createCommand(cli, 'rollback')
    .description('Let v1 answer again, shadow one percent, and start new evidence')
    .addOption(reasonOption())
    .addOption(actorOption(cli))
    .action(async ({ reason, actor }) => {
      const client = await connectMigration(cli)
      await printMigration(cli, await client.rollBack({ reason, actor }, { signal: cli.signal }))
    })
