import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani members invite-again` */
export const membersInviteAgain: CliCommand = (cli) =>
  createCommand(cli, 'invite-again')
    .description('Invite a member to add another way to sign in; the invitation is printed once')
    .argument('<member_id>', 'id of the member', parseId)
    .option('--reset', 'end the passkeys and sessions that the member has')
    .action(async (memberId, { reset = false }) => {
      const client = await cli.connect()
      const member = await client.members.inviteAgain(memberId, { reset }, { signal: cli.signal })
      await cli.output.resource(member)
      await cli.output.note('Give them the invitation now: it is not shown again.')
    })
