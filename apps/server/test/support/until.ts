import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 20

/** Polls until the condition gives a value; fails with what it last saw. */
export async function until<T>(
  read: () => Promise<T>,
  condition: (value: T) => boolean,
  options: { withinMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + (options.withinMs ?? 20_000)
  for (;;) {
    const value = await read()
    if (condition(value)) return value
    if (performance.now() > deadline) throw new Error(`Never came true; last: ${JSON.stringify(value)}`)
    await delay(POLL_MS)
  }
}
