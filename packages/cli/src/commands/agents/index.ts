import { type CliCommand, createGroup } from '../../create-command.ts'
import { agentsList } from './list.ts'
import { agentsPut } from './put.ts'

/** `vaani agents` */
export const agents: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'agents',
    description: 'List and change agents',
    commands: [agentsPut],
    defaultCommand: agentsList,
  })
