import { type CliCommand, createGroup } from '../../create-command.ts'
import { endpointsCreate } from './create.ts'
import { endpointsDelete } from './delete.ts'
import { endpointsGet } from './get.ts'
import { endpointsList } from './list.ts'
import { endpointsRotate } from './rotate.ts'
import { endpointsUpdate } from './update.ts'

/** `vaani endpoints` */
export const endpoints: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'endpoints',
    description: 'Manage webhook endpoints',
    commands: [
      endpointsList,
      endpointsGet,
      endpointsCreate,
      endpointsUpdate,
      endpointsRotate,
      endpointsDelete,
    ],
  })
