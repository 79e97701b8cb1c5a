import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani keys list` */
export const keysList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List API keys without their secrets, newest first')
    .addOption(limitOption())
    .action(async ({ limit }) => {
      const client = await cli.connect()
      const keys = client.admin.listKeys({ limit: pageOf(limit) }, { signal: cli.signal })
      await cli.output.list(take(keys, limit), {
        key_id: (key) => key.key_id,
        hint: (key) => key.hint,
        name: (key) => key.name,
        status: (key) => (key.revoked_at === null ? 'valid' : 'revoked'),
        created_at: (key) => key.created_at,
        scopes: (key) => key.scopes.join(' '),
      })
    })
