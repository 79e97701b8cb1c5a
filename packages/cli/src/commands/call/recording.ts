import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { openSink, STANDARD_OUTPUT } from '../../files/byte-sink.ts'

/** `vaani call recording` */
export const callRecording: CliCommand = (cli) =>
  createCommand(cli, 'recording')
    .description('Save what was heard at the far end of a call, as a WAV file')
    .argument('<call_id>', 'id of the call', parseId)
    .requiredOption('--out <file>', 'where to; - is standard output')
    .action(async (callId, { out }) => {
      const client = await cli.connect()
      await using sink = await openSink(cli, out)
      let bytes = 0
      for await (const chunk of await client.calls.recording(callId, { signal: cli.signal })) {
        bytes += chunk.length
        await sink.write(chunk)
      }
      await sink.commit()
      if (out !== STANDARD_OUTPUT) await cli.output.resource({ call_id: callId, out, bytes })
    })
