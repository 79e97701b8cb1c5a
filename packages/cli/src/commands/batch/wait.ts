import { printBatch, WAIT_SECONDS } from '../../resources/batch.ts'
import { type CliCommand, createCommand, parseId, parsePositive } from '../../create-command.ts'

/** `vaani batch wait` */
export const batchWait: CliCommand = (cli) =>
  createCommand(cli, 'wait')
    .description('Print each status of a batch until it has ended')
    .argument('<batch_id>', 'id of the batch', parseId)
    .option('--timeout <seconds>', 'maximum time to wait', parsePositive, WAIT_SECONDS)
    .action(async (id, { timeout }) => {
      await printBatch(cli, { client: await cli.connect(), id, forSeconds: timeout })
    })
