import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani members list`, or `vaani members` */
export const membersList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List members, newest first, including removed ones')
    .addOption(limitOption())
    .action(async ({ limit }) => {
      const client = await cli.connect()
      const members = client.members.list({ limit: pageOf(limit) }, { signal: cli.signal })
      await cli.output.list(take(members, limit), {
        member_id: (one) => one.member_id,
        name: (one) => one.name,
        role: (one) => one.role,
        status: (one) => one.status,
        created_at: (one) => one.created_at,
      })
    })
