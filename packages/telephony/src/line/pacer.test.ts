import { expect, test } from 'vitest'
import { createPacer } from './pacer.ts'

/** Counts the ticks of a 20 ms pacer in one turn if its clock shows this time when it wakes. */
function ticksAt(nowMs: number): Promise<number> {
  return new Promise((resolve) => {
    let clockMs = 0
    let ticks = 0
    const pacer = createPacer({
      intervalMs: 20,
      monotonicMs: () => clockMs,
      onTick() {
        ticks += 1
        // Runs after this turn and before the next.
        queueMicrotask(() => {
          pacer.stop()
          resolve(ticks)
        })
      },
    })
    pacer.start()
    clockMs = nowMs
  })
}

test('a late pacer catches up', async () => {
  expect(await ticksAt(20)).toBe(1)
  expect(await ticksAt(39)).toBe(1)
  expect(await ticksAt(70)).toBe(3)
})

test('a pacer that was suspended skips the missed ticks', async () => {
  expect(await ticksAt(60_000)).toBe(1)
})

test('lets the event loop have its turns when ticks take longer than their interval', async () => {
  let nowMs = 0
  let ticksInARow = 0
  let longestRow = 0
  const pacer = createPacer({
    intervalMs: 20,
    monotonicMs: () => nowMs,
    onTick() {
      nowMs += 50
      ticksInARow += 1
      longestRow = Math.max(longestRow, ticksInARow)
      if (longestRow === 100) pacer.stop()
    },
  })
  pacer.start()
  await new Promise<void>((resolve) => {
    const turns = setInterval(() => {
      ticksInARow = 0
      if (nowMs < 5000) return
      clearInterval(turns)
      resolve()
    })
  })
  pacer.stop()
  expect(longestRow).toBeLessThan(20)
})
