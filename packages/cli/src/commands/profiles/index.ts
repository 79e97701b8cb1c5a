import { type CliCommand, createGroup } from '../../create-command.ts'
import { profilesList } from './list.ts'
import { profilesUse } from './use.ts'

/** `vaani profiles` */
export const profiles: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'profiles',
    description: 'Keep several servers and keys, by name',
    commands: [profilesUse],
    defaultCommand: profilesList,
  })
