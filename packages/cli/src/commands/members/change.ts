import { Option } from '@commander-js/extra-typings'
import { MEMBER_ROLES } from '../../generated/choices.ts'
import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani members change` */
export const membersChange: CliCommand = (cli) =>
  createCommand(cli, 'change')
    .description('Change the name or the role of a member')
    .argument('<member_id>', 'id of the member', parseId)
    .option('--name <name>', 'how colleagues see the member')
    .addOption(new Option('--role <role>', 'what the member may do').choices(MEMBER_ROLES))
    .action(async (memberId, { name, role }) => {
      const client = await cli.connect()
      const changes = { ...(name !== undefined && { name }), ...(role !== undefined && { role }) }
      await cli.output.resource(await client.members.update(memberId, changes, { signal: cli.signal }))
    })
