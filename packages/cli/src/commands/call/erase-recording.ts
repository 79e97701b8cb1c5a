import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani call erase-recording` */
export const callEraseRecording: CliCommand = (cli) =>
  createCommand(cli, 'erase-recording')
    .description('Permanently erase the recording and the transcript of a call')
    .argument('<call_id>', 'id of the call', parseId)
    .action(async (callId) => {
      const client = await cli.connect()
      await client.calls.removeRecording(callId, { signal: cli.signal })
      await cli.output.resource({ call_id: callId, recording: 'erased' })
    })
