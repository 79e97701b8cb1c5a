import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani batch status` */
export const batchStatus: CliCommand = (cli) =>
  createCommand(cli, 'status')
    .description('Read a batch')
    .argument('<batch_id>', 'id of the batch', parseId)
    .action(async (id) => {
      const client = await cli.connect()
      await cli.output.resource(await client.batches.retrieve(id, { signal: cli.signal }))
    })
