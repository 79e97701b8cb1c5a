import { type CliCommand, createGroup } from '../../create-command.ts'
import { keysCreate } from './create.ts'
import { keysList } from './list.ts'
import { keysRevoke } from './revoke.ts'

/** `vaani keys` */
export const keys: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'keys',
    description: 'Manage API keys',
    commands: [keysList, keysCreate, keysRevoke],
  })
