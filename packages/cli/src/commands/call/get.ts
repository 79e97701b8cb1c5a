import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani call get` */
export const callGet: CliCommand = (cli) =>
  createCommand(cli, 'get')
    .description('Read a call')
    .argument('<call_id>', 'id of the call', parseId)
    .action(async (callId) => {
      const client = await cli.connect()
      await cli.output.resource(await client.calls.retrieve(callId, { signal: cli.signal }))
    })
