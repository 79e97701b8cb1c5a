import { type CliCommand, createCommand, parseId } from '../../create-command.ts'

/** `vaani batch results` */
export const batchResults: CliCommand = (cli) =>
  createCommand(cli, 'results')
    .description('Print one line of JSON for each request that has ended')
    .argument('<batch_id>', 'id of the batch', parseId)
    .action(async (id) => {
      const client = await cli.connect()
      for await (const result of client.batches.results(id, { signal: cli.signal }))
        await cli.output.line(result, JSON.stringify(result))
    })
