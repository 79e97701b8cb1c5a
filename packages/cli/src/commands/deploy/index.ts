import { type CliCommand, createGroup } from '../../create-command.ts'
import { deployCreate } from './create.ts'
import { deployList } from './list.ts'
import { deployRetrieve } from './retrieve.ts'
import { deployRevoke } from './revoke.ts'

/** `vaani deploy` */
export const deploy: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'deploy',
    description: 'Run servers in your own network, by license',
    commands: [deployCreate, deployList, deployRetrieve, deployRevoke],
  })
