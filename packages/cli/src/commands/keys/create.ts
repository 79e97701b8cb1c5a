import { Option } from '@commander-js/extra-typings'
import { SCOPES } from '../../generated/choices.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'

/** `vaani keys create` */
export const keysCreate: CliCommand = (cli) =>
  createCommand(cli, 'create')
    .description('Create an API key; it is printed once, on standard output')
    .requiredOption('--name <name>', 'name that shows its purpose')
    .addOption(
      new Option('--scope <scope...>', 'permissions of the key').choices(SCOPES).makeOptionMandatory(),
    )
    .option('--live', 'create a live key instead of a test key')
    .action(async ({ name, scope, live = false }) => {
      const client = await cli.connect()
      const key = await client.admin.createKey(
        { name, scopes: scope, livemode: live },
        { signal: cli.signal },
      )
      await cli.output.resource(key)
      await cli.output.note('Store the key now: it is not shown again.')
    })
