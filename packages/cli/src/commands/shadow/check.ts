import { type CliCommand, createCommand } from '../../create-command.ts'
import { CliError } from '../../failure/cli-error.ts'
import { connectMigration } from '../../shadow/connect-migration.ts'

/** Enough to wait for a callback of the candidate, and to erase what it was asked with. */
const LIMITS = { timeoutMs: 120_000, tryTimeoutMs: 120_000 }

/** `vaani shadow check` */
export const shadowCheck: CliCommand = (cli) =>
  createCommand(cli, 'check')
    .description(
      'Check, before any traffic, that both versions answer, accept the keys and can be learned from',
    )
    .addHelpText('after', '\nExits with 0 if no check failed, with 10 otherwise.')
    .action(async () => {
      const client = await connectMigration(cli)
      const result = await client.check({ signal: cli.signal, ...LIMITS })
      if (cli.output.isJson) await cli.output.resource(result)
      else
        await cli.output.list(result.checks, {
          state: ({ state }) => state,
          check: ({ name }) => name,
          found: ({ message }) => message,
        })
      if (!result.passed)
        throw new CliError('the migration cannot begin yet', { family: 'unsuccessful', code: 'check_failed' })
    })
