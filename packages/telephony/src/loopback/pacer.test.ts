import { expect, test } from 'vitest'
import { createPacer } from './pacer.ts'

/** Runs a pacer of 20 ms whose clock shows these times, and returns how many ticks it made at the last of them. */
async function ticksAt(nowMs: number): Promise<number> {
  let clockMs = 0
  let ticks = 0
  const pacer = createPacer({
    intervalMs: 20,
    monotonicMs: () => clockMs,
    onTick: () => (ticks += 1),
  })
  pacer.start()
  clockMs = nowMs
  // The pacer's timer is due before this one, and makes all its ticks in one turn.
  await new Promise((resolve) => setTimeout(resolve, 20))
  pacer.stop()
  return ticks
}

test('a late pacer catches up', async () => {
  expect(await ticksAt(20)).toBe(1)
  expect(await ticksAt(39)).toBe(1)
  expect(await ticksAt(70)).toBe(3)
})

test('a pacer that was suspended does not play what it missed', async () => {
  expect(await ticksAt(60_000)).toBe(1)
})
