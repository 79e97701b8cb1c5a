import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani members remove` */
export const membersRemove: CliCommand = (cli) =>
  createCommand(cli, 'remove')
    .description('Remove a member for good, and end their sessions')
    .argument('<member_id>', 'id of the member', parseId)
    .action(async (memberId) => {
      const client = await cli.connect()
      await cli.output.resource(await client.members.remove(memberId, { signal: cli.signal }))
    })
