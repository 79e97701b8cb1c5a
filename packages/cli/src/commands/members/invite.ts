import { Option } from '@commander-js/extra-typings'
import { MEMBER_ROLES } from '../../generated/choices.ts'
import { type CliCommand, createCommand } from '../../create-command.ts'

/** `vaani members invite` */
export const membersInvite: CliCommand = (cli) =>
  createCommand(cli, 'invite')
    .description('Invite somebody to use the console; the invitation is printed once, on standard output')
    .argument('<name>', 'how colleagues see the member')
    .addOption(
      new Option('--role <role>', 'what the member may do').choices(MEMBER_ROLES).makeOptionMandatory(),
    )
    .option('--test-only', 'let the member work in test mode only, also if you use a live key')
    .action(async (name, { role, testOnly = false }) => {
      const client = await cli.connect()
      const member = await client.members.invite(
        { name, role, ...(testOnly && { livemode: false }) },
        { signal: cli.signal },
      )
      await cli.output.resource(member)
      await cli.output.note('Give them the invitation now: it is not shown again.')
    })
