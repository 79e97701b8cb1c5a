import { type CliCommand, createGroup } from '../../create-command.ts'
import { requestsList } from './list.ts'
import { requestsSummary } from './summary.ts'

/** `vaani requests` */
export const requests: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'requests',
    description: 'Show requests that were refused',
    commands: [requestsSummary],
    defaultCommand: requestsList,
  })
