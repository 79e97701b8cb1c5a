import { type CliCommand, createCommand } from '../../create-command.ts'
import { limitOption, pageOf } from '../../input/list-options.ts'
import { take } from '../../input/take.ts'

/** `vaani batch list` */
export const batchList: CliCommand = (cli) =>
  createCommand(cli, 'list')
    .description('List batches, newest first')
    .addOption(limitOption())
    .action(async ({ limit }) => {
      const client = await cli.connect()
      const batches = client.batches.list({ limit: pageOf(limit) }, { signal: cli.signal })
      await cli.output.list(take(batches, limit), {
        batch_id: (batch) => batch.batch_id,
        status: (batch) => batch.status,
        endpoint: (batch) => batch.endpoint,
        total: ({ counts }) => counts.total,
        succeeded: ({ counts }) => counts.succeeded,
        failed: ({ counts }) => counts.failed,
        created_at: (batch) => batch.created_at,
      })
    })
