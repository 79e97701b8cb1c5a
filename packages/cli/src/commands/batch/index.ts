import { type CliCommand, createGroup } from '../../create-command.ts'
import { batchCancel } from './cancel.ts'
import { batchCreate } from './create.ts'
import { batchList } from './list.ts'
import { batchResults } from './results.ts'
import { batchStatus } from './status.ts'
import { batchWait } from './wait.ts'

/** `vaani batch` */
export const batch: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'batch',
    description: 'Make thousands of requests in the background',
    commands: [batchCreate, batchStatus, batchWait, batchResults, batchList, batchCancel],
  })
