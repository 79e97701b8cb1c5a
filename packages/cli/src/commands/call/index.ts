import { type CliCommand, createGroup } from '../../create-command.ts'
import { callCancel } from './cancel.ts'
import { callEraseRecording } from './erase-recording.ts'
import { callGet } from './get.ts'
import { callList } from './list.ts'
import { callPlace } from './place.ts'
import { callRecording } from './recording.ts'
import { callTranscript } from './transcript.ts'

/** `vaani call` */
export const call: CliCommand = (cli) =>
  createGroup(cli, {
    name: 'call',
    description: 'Place calls and follow them',
    commands: [callPlace, callGet, callList, callCancel, callRecording, callTranscript, callEraseRecording],
  })
