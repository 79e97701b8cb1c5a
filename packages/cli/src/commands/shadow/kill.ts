import { type CliCommand, createCommand } from '../../create-command.ts'
import { actorOption } from '../../shadow/change-options.ts'
import { connectMigration } from '../../shadow/connect-migration.ts'
import { printMigration } from '../../shadow/print-migration.ts'

/** Nobody should have to think of words in an emergency. */
const DEFAULT_REASONS = { on: 'Engaged from the command line', off: 'Released from the command line' }

/** `vaani shadow kill` */
export const shadowKill: CliCommand = (cli) =>
  createCommand(cli, 'kill')
    .description('Stop all shadow traffic at once; callers get the answers that they got before')
    .option('--off', 'allow shadow traffic again')
    .option('--reason <text>', 'why, for the history')
    .addOption(actorOption(cli))
    .action(async ({ off, reason, actor }) => {
      const client = await connectMigration(cli)
      const request = {
        engaged: !off,
        reason: reason ?? DEFAULT_REASONS[off ? 'off' : 'on'],
        actor,
      }
      const migration = await client.setKillSwitch(request, { signal: cli.signal })
      await printMigration(cli, migration)
      if (off && migration.kill_switch.engaged)
        await cli.output.note(`It is still engaged, by ${migration.kill_switch.source}.`)
    })
