import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 50

/** Polls until the condition holds. Fails with the last value. */
export async function until<Value>(
  read: () => Promise<Value> | Value,
  condition: (value: Value) => boolean,
  { withinMs = 300_000 }: { withinMs?: number } = {},
): Promise<Value> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const value = await read()
    if (condition(value)) return value
    if (performance.now() > deadline) throw new Error(`Never came true; last: ${JSON.stringify(value)}`)
    await delay(POLL_MS)
  }
}
