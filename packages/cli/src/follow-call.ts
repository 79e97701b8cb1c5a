import { type Call, StillPending, type Vaani, VaaniError } from '@vaani/client'
import type { Cli } from './cli.ts'
import { sleep } from './clock.ts'

const FIRST_INTERVAL_MS = 500
const MAX_INTERVAL_MS = 5000

/**
 * Reads a call until it has ended, and tells each status that it sees.
 *
 * @throws StillPending after `forMs`
 */
export async function followCall(
  { clock, signal }: Pick<Cli, 'clock' | 'signal'>,
  options: {
    readonly client: Vaani
    readonly placed: Call
    readonly forMs: number
    readonly onStatus: (call: Call) => Promise<void>
  },
): Promise<Call> {
  const { client, placed, forMs, onStatus } = options
  const deadlineMs = clock.nowMs() + forMs
  let call = placed
  let reads = 0
  await onStatus(call)
  for (let delayMs = FIRST_INTERVAL_MS; ; delayMs = Math.min(MAX_INTERVAL_MS, delayMs * 1.5)) {
    const { status } = call
    if (status === 'completed' || status === 'failed') return call
    const remainingMs = deadlineMs - clock.nowMs()
    if (remainingMs <= 0)
      throw new StillPending({ operation: 'calls.retrieve', attempts: reads, id: call.call_id, status })
    await sleep({ delayMs: Math.min(delayMs, remainingMs), clock, signal })
    reads += 1
    call = await client.calls.retrieve(call.call_id, { signal }).catch((error: unknown) => {
      // What may pass is waited out.
      if (!VaaniError.isInstance(error) || !error.retryable) throw error
      return call
    })
    if (call.status !== status) await onStatus(call)
  }
}
