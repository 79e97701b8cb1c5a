import { setTimeout as delay } from 'node:timers/promises'

/** Ends only what hangs: what a test waits for takes less than a second on an idle machine, and minutes on a busy one. */
const WITHIN_MS = 300_000
const POLL_MS = 20
/** Polling every 20 ms for as long as a lease lasts would take CPU time from the servers under test. */
const LONGEST_POLL_MS = 200
const POLLS_PER_WAIT = 10

/** Polls until the condition holds, less often the longer it waits. Fails with the last value. */
export async function until<Value>(
  read: () => Promise<Value> | Value,
  condition: (value: Value) => boolean,
  options: { withinMs?: number } = {},
): Promise<Value> {
  const startMs = performance.now()
  const deadline = startMs + (options.withinMs ?? WITHIN_MS)
  for (;;) {
    const value = await read()
    if (condition(value)) return value
    if (performance.now() > deadline) throw new Error(`Never came true; last: ${JSON.stringify(value)}`)
    const waitedMs = performance.now() - startMs
    await delay(Math.min(Math.max(POLL_MS, waitedMs / POLLS_PER_WAIT), LONGEST_POLL_MS))
  }
}
