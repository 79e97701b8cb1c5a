import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani call cancel` */
export const callCancel: CliCommand = (cli) =>
  createCommand(cli, 'cancel')
    .description('Cancel a call that nobody has answered yet, and hang up if it rings')
    .argument('<call_id>', 'id of the call', parseId)
    .action(async (callId) => {
      const client = await cli.connect()
      await cli.output.resource(await client.calls.cancel(callId, { signal: cli.signal }))
    })
