import { type CliCommand, createGroup } from '../../create-command.ts'
import { membersChange } from './change.ts'
import { membersInviteAgain } from './invite-again.ts'
import { membersInvite } from './invite.ts'
import { membersList } from './list.ts'
import { membersRemove } from './remove.ts'

/** `vaani members` */
export const members: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'members',
    description: 'Manage the people who use the console',
    commands: [membersInvite, membersInviteAgain, membersChange, membersRemove],
    defaultCommand: membersList,
  })
