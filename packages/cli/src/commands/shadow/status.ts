import { type CliCommand, createCommand } from '../../create-command.ts'
import { connectMigration } from '../../shadow/connect-migration.ts'
import { failureOf, printMigration } from '../../shadow/print-migration.ts'

/** `vaani shadow status` */
export const shadowStatus: CliCommand = (cli) =>
  createCommand(cli, 'status')
    .description('Print the stage, the evidence and what it advises')
    .addHelpText(
      'after',
      '\nExits with 0 if the evidence advises to promote or the migration is complete, with 9 if there is not enough, with 10 if it advises to roll back, and with 11 to hold.',
    )
    .action(async () => {
      const client = await connectMigration(cli)
      const migration = await client.retrieve({ signal: cli.signal })
      await printMigration(cli, migration)
      const failure = failureOf(migration)
      if (failure !== undefined) throw failure
    })
