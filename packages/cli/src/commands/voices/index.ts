import { type CliCommand, createGroup } from '../../create-command.ts'
import { voicesClone } from './clone.ts'
import { voicesDelete } from './delete.ts'
import { voicesList } from './list.ts'

/** `vaani voices` */
export const voices: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'voices',
    description: 'Make voices of recordings, to speak and call with',
    commands: [voicesClone, voicesList, voicesDelete],
  })
