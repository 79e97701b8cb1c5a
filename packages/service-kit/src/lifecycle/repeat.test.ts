import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeat, type Repeater } from './repeat.ts'

let repeater: Repeater | undefined
const errors: unknown[] = []
const onError = (error: unknown) => void errors.push(error)
beforeEach(() => {
  errors.length = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  await repeater?.stop()
  vi.useRealTimers()
})

/** Starts a repeater whose runs last until `end` is called. */
async function startSlow() {
  const slow = { runs: 0, end: (): void => undefined }
  const run = () => {
    slow.runs++
    return new Promise<void>((resolve) => (slow.end = resolve))
  }
  repeater = repeat({ name: 'flag', everyMs: 500, run, onError })
  await vi.advanceTimersByTimeAsync(0)
  return { slow, repeater }
}

test('runs at once, and then at intervals from end to start', async () => {
  const { slow } = await startSlow()
  await vi.advanceTimersByTimeAsync(5000)
  expect(slow.runs).toBe(1)
  slow.end()
  await vi.advanceTimersByTimeAsync(499)
  expect(slow.runs).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(slow.runs).toBe(2)
  slow.end()
})

test('runs when it is woken: at once, or at the end of the current run', async () => {
  const { slow, repeater } = await startSlow()
  repeater.wake()
  slow.end()
  await vi.advanceTimersByTimeAsync(0)
  expect(slow.runs).toBe(2)
  slow.end()
  await vi.advanceTimersByTimeAsync(100)
  repeater.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(slow.runs).toBe(3)
  slow.end()
  await vi.advanceTimersByTimeAsync(499)
  expect(slow.runs).toBe(3)
})

test('pauses for as long as the run returns', async () => {
  let runs = 0
  const run = async () => (++runs < 3 ? 0 : 5000)
  repeater = repeat({ name: 'flag', everyMs: 500, run, onError })
  await vi.advanceTimersByTimeAsync(4999)
  expect(runs).toBe(3)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toBe(4)
})

test('goes on after a failure, of which it reports the first', async () => {
  let runs = 0
  const run = async () => {
    runs++
    if (runs !== 3) throw new Error('Away')
  }
  repeater = repeat({ name: 'flag', everyMs: 500, run, onError })
  await vi.advanceTimersByTimeAsync(500)
  expect([runs, errors.length]).toEqual([2, 1])
  await vi.advanceTimersByTimeAsync(1000)
  expect([runs, errors.length]).toEqual([4, 2])
})

test('backs off after a failure, however often it is woken', async () => {
  let runs = 0
  const run = async () => {
    runs++
    throw new Error('Away')
  }
  repeater = repeat({ name: 'flag', everyMs: 10, run, onError })
  for (let waitedMs = 0; waitedMs < 499; waitedMs++) {
    repeater.wake()
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toBe(2)
})

test('does not run once it is stopped, and waits for the current run', async () => {
  const { slow, repeater } = await startSlow()
  let isStopped = false
  void repeater.stop().then(() => (isStopped = true))
  await vi.advanceTimersByTimeAsync(0)
  expect(isStopped).toBe(false)
  slow.end()
  await vi.advanceTimersByTimeAsync(0)
  expect(isStopped).toBe(true)
  await vi.advanceTimersByTimeAsync(5000)
  expect(slow.runs).toBe(1)
})

test('stops during a pause without waiting for its end', async () => {
  let runs = 0
  const paused = repeat({ name: 'flag', everyMs: 5000, run: async () => void runs++, onError })
  await vi.advanceTimersByTimeAsync(0)
  await paused.stop()
  expect(runs).toBe(1)
})
