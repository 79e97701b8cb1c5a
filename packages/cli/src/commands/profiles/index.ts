import { type CliCommand, createGroup } from '../../create-command.ts'
import { profilesList } from './list.ts'
import { profilesUse } from './use.ts'

/** `vaani profiles` */
export const profiles: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'profiles',
    description: 'Manage profiles, each with a server and a key',
    commands: [profilesUse],
    defaultCommand: profilesList,
  })
