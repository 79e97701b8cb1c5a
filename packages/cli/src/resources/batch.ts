import type { Batch, Vaani } from '@vaani/client'
import { CliError } from '../failure/cli-error.ts'
import type { Cli } from '../cli.ts'
import { follow } from './follow.ts'

/** Seconds to wait for the end of a batch. */
export const WAIT_SECONDS = 3600
/** First and last polling interval, in milliseconds. */
const INTERVALS_MS = [1000, 15_000] as const

/**
 * Waits until the batch has ended, and prints each status.
 *
 * @throws StillPending
 * @throws CliError if the batch failed or was canceled, or if any request failed
 */
export async function printBatch(
  { clock, output, signal }: Cli,
  options: { client: Vaani; id: string; first?: Batch; forSeconds: number },
): Promise<void> {
  const { client, id, first, forSeconds } = options
  const ended = await follow(
    { clock, signal },
    {
      operation: 'batches.retrieve',
      id,
      ...(first && { first }),
      read: () => client.batches.retrieve(id, { signal, maxRetries: 0 }),
      statusOf: ({ status }) => status,
      isFinal: (status) => status !== 'queued' && status !== 'running',
      onStatus: (batch) => output.line(batch, `${batch.batch_id}  ${output.status(batch.status)}`),
      forMs: forSeconds * 1000,
      intervalsMs: INTERVALS_MS,
    },
  )
  if (!output.isJson) await output.resource(ended)
  const { status, counts } = ended
  if (status === 'completed' && counts.failed === 0) return
  const { failed, total } = counts
  throw new CliError(
    status === 'completed' ? `${failed} of ${total} requests failed` : `the batch ended as ${status}`,
    { family: 'unsuccessful', code: `batch_${status}` },
  )
}
