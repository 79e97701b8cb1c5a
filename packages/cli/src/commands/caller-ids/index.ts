import { type CliCommand, createGroup } from '../../create-command.ts'
import { callerIdsAdd } from './add.ts'
import { callerIdsDelete } from './delete.ts'
import { callerIdsConfirm } from './confirm.ts'
import { callerIdsList } from './list.ts'
import { callerIdsVerify } from './verify.ts'

/** `vaani caller-ids` */
export const callerIds: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'caller-ids',
    description: 'Manage the numbers that calls can be placed from',
    commands: [callerIdsList, callerIdsVerify, callerIdsConfirm, callerIdsAdd, callerIdsDelete],
  })
