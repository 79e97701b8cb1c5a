import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani call transcript` */
export const callTranscript: CliCommand = (cli) =>
  createCommand(cli, 'transcript')
    .description('Print what was heard in a call, turn by turn')
    .argument('<call_id>', 'id of the call', parseId)
    .action(async (callId) => {
      const client = await cli.connect()
      const { turns } = await client.calls.transcript(callId, { signal: cli.signal })
      await cli.output.list(turns, {
        seconds: (turn) => (turn.start_ms / 1000).toFixed(2),
        speaker: (turn) => turn.speaker,
        cut_by: (turn) => turn.cut_by,
        text: (turn) => turn.text,
      })
    })
