import { STOP_NOW } from '@vaani/service-kit/lifecycle/stop-deadline'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeat } from './repeat.ts'

const log = createLogger('silent')
let worker: ReturnType<typeof repeat> | undefined
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(async () => {
  await worker?.stop(STOP_NOW)
  vi.useRealTimers()
})

test('runs at once, and then at intervals from end to start', async () => {
  let runs = 0
  let end = (): void => undefined
  const run = () => {
    runs++
    return new Promise<void>((resolve) => (end = resolve))
  }
  worker = repeat({ name: 'flag', everyMs: 500, run, log })
  await vi.advanceTimersByTimeAsync(5000)
  expect(runs).toBe(1)
  end()
  await vi.advanceTimersByTimeAsync(499)
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toBe(2)
})

test('goes on after a failure, of which it logs the first', async () => {
  const warn = vi.spyOn(log, 'warn')
  let runs = 0
  const run = async () => {
    runs++
    if (runs !== 3) throw new Error('Away')
  }
  worker = repeat({ name: 'flag', everyMs: 500, run, log })
  await vi.advanceTimersByTimeAsync(500)
  expect([runs, warn.mock.calls.length]).toEqual([2, 1])
  await vi.advanceTimersByTimeAsync(1000)
  expect([runs, warn.mock.calls.length]).toEqual([4, 2])
})

test('does not run once it is stopped', async () => {
  let runs = 0
  worker = repeat({ name: 'flag', everyMs: 500, run: async () => void runs++, log })
  await vi.advanceTimersByTimeAsync(0)
  const timeOver = new AbortController().signal
  await worker.stop({ graceOver: timeOver, timeOver })
  await vi.advanceTimersByTimeAsync(5000)
  expect(runs).toBe(1)
})
