import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani batch cancel` */
export const batchCancel: CliCommand = (cli) =>
  createCommand(cli, 'cancel')
    .description('Drop the requests of a batch that have not started')
    .argument('<batch_id>', 'id of the batch', parseId)
    .action(async (id) => {
      const client = await cli.connect()
      await cli.output.resource(await client.batches.cancel(id, { signal: cli.signal }))
    })
