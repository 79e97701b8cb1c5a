import { type CliCommand, createGroup } from '../../create-command.ts'
import { doNotCallAdd } from './add.ts'
import { doNotCallExport } from './export.ts'
import { doNotCallImport } from './import.ts'
import { doNotCallList } from './list.ts'
import { doNotCallRemove } from './remove.ts'

/** `vaani do-not-call` */
export const doNotCall: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'do-not-call',
    description: 'Manage the numbers that are never called',
    commands: [doNotCallAdd, doNotCallRemove, doNotCallImport, doNotCallExport],
    defaultCommand: doNotCallList,
  })
