import { type CliCommand, createCommand, parseId } from '../../create-command.ts'
import { openSink, STANDARD_OUTPUT } from '../../files/byte-sink.ts'

/** `vaani call recording` */
export const callRecording: CliCommand = (cli) =>
  createCommand(cli, 'recording')
    .description('Save the recording of a call, as heard at the far end, as a WAV file')
    .argument('<call_id>', 'id of the call', parseId)
    .requiredOption('--out <file>', 'file to write; - is standard output')
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
