import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Lease } from '../leases/worker-lease.ts'
import { type ClaimLoop, type ClaimLoopOptions, type ClaimRequest, startClaimLoop } from './claim-loop.ts'
import type { Hold } from './run-rows.ts'

const POLL_MS = 100
const later = () => vi.advanceTimersByTimeAsync(0)
const leaseOf = (workerId: string): Lease => ({ workerId, lost: new AbortController().signal })

let lease: Lease | null
let loop: ClaimLoop<string> | undefined
beforeEach(() => {
  lease = leaseOf('worker')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(async () => {
  await stopNow()
  vi.useRealTimers()
})

/** Starts a loop over rows that wait in a list, whose work lasts until it is ended. */
function open(options: Partial<ClaimLoopOptions<string, void>> = {}) {
  const source: string[] = []
  const claims: ClaimRequest<string>[] = []
  const started: string[] = []
  const errors: unknown[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const holds = new Map<string, Hold>()
  loop = startClaimLoop<string>({
    name: 'rows',
    lease: { current: () => lease },
    places: 2,
    pollMs: POLL_MS,
    async claim(request) {
      claims.push(request)
      return source.splice(0, request.room)
    },
    work(row, hold) {
      started.push(row)
      holds.set(row, hold)
      const end = Promise.withResolvers<void>()
      ends.set(row, end)
      return end.promise
    },
    onClaimError: (error) => void errors.push(error),
    onWorkError: (error, row) => void errors.push([row, error]),
    ...options,
  })
  return {
    loop,
    source,
    claims,
    started,
    errors,
    holds,
    async end(row: string) {
      ends.get(row)?.resolve()
      await later()
    },
    fail: (row: string, error: Error) => ends.get(row)?.reject(error),
  }
}

function startStop(stopping: ClaimLoop<string>) {
  const [grace, time] = [new AbortController(), new AbortController()]
  const state = { isStopped: false }
  void stopping.stop({ graceOver: grace.signal, timeOver: time.signal }).then(() => (state.isStopped = true))
  return { grace, time, state }
}

async function stopNow(): Promise<void> {
  if (loop === undefined) return
  const { grace, time } = startStop(loop)
  grace.abort()
  time.abort()
  await later()
}

describe('a claim loop', () => {
  test('works on as many rows as it has places, and claims again as soon as one is free', async () => {
    const { source, started, claims, end } = open()
    await later()
    source.push('a', 'b', 'c')
    await vi.advanceTimersByTimeAsync(POLL_MS)
    expect(started).toEqual(['a', 'b'])
    await end('a')
    expect(started).toEqual(['a', 'b', 'c'])
    expect(claims.map(({ room }) => room)).toEqual([2, 2, 1])
    expect(claims.at(-1)?.held).toEqual(['b'])
  })

  test('claims at once when it is woken', async () => {
    const { loop, source, started } = open()
    await later()
    source.push('a')
    loop.wake()
    await later()
    expect(started).toEqual(['a'])
  })

  test('claims again at once while claims find something and there is room', async () => {
    const left = ['a', 'b', 'c']
    const { started, claims } = open({
      places: 9,
      async claim(request) {
        claims.push(request)
        return left.splice(0, 1)
      },
    })
    await later()
    expect(started).toEqual(['a', 'b', 'c'])
    expect(claims).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(POLL_MS - 1)
    expect(claims).toHaveLength(4)
  })

  test('claims nothing without a lease, and does not start rows of a lease that was lost', async () => {
    const { loop, source, started, claims, end } = open({ ahead: () => 2 })
    source.push('a', 'b', 'c', 'd')
    loop.wake()
    await later()
    expect([started, loop.waiting()]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    lease = null
    await end('a')
    await vi.advanceTimersByTimeAsync(3 * POLL_MS)
    expect(started).toEqual(['a', 'b'])
    const before = claims.length
    lease = leaseOf('another')
    source.push('e')
    await end('b')
    await later()
    expect(started).toEqual(['a', 'b', 'e'])
    expect(claims[before]).toMatchObject({ workerId: 'another', held: [] })
  })

  test('waits before it starts a row, without claiming meanwhile', async () => {
    let pauseMs = 3
    const { loop, source, started, claims } = open({ waitMs: () => pauseMs, ahead: () => 4 })
    source.push('a', 'b')
    loop.wake()
    await later()
    const before = claims.length
    await vi.advanceTimersByTimeAsync(60)
    expect([started, claims.length]).toEqual([[], before])
    pauseMs = 0
    await vi.advanceTimersByTimeAsync(3)
    expect(started).toEqual(['a', 'b'])
  })

  test('frees the place of a row whose result is being settled, and holds the row until it is', async () => {
    const settled = Promise.withResolvers<void>()
    const { loop, source, started, claims, end } = open({ places: 1, settle: () => settled.promise })
    source.push('a', 'b')
    loop.wake()
    await later()
    await end('a')
    expect(started).toEqual(['a', 'b'])
    expect(claims.at(-1)?.held).toEqual(['a'])
    settled.resolve()
    await end('b')
    await later()
    expect(claims.at(-1)?.held).toEqual([])
  })

  test('reports work that fails, and goes on', async () => {
    const { loop, source, started, errors, fail } = open({ places: 1 })
    source.push('a', 'b')
    loop.wake()
    await later()
    const error = new Error('It cannot be done')
    fail('a', error)
    await later()
    expect(errors).toEqual([['a', error]])
    expect(started).toEqual(['a', 'b'])
  })

  test('reports the first of failing claims, and is not working once they fail for long', async () => {
    const { loop, errors } = open({ claim: () => Promise.reject(new Error('The database is away')) })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(errors).toHaveLength(1)
    expect(loop.isWorking()).toBe(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(loop.isWorking()).toBe(false)
  })

  test('drops rows that were not started', async () => {
    const { loop, source, started, end } = open({ places: 1, ahead: () => 2 })
    source.push('a', 'b', 'c')
    loop.wake()
    await later()
    loop.drop((row) => row === 'b')
    await end('a')
    expect(started).toEqual(['a', 'c'])
  })
})

describe('a stop', () => {
  test('claims nothing more, and lets work end within the grace period', async () => {
    const { loop, source, started, claims, end } = open()
    source.push('a')
    loop.wake()
    await later()
    const { state } = startStop(loop)
    const before = claims.length
    source.push('b')
    await vi.advanceTimersByTimeAsync(10 * POLL_MS)
    expect([started, claims.length, state.isStopped]).toEqual([['a'], before, false])
    await end('a')
    expect(state.isStopped).toBe(true)
  })

  test('gives back what outlasts the grace period, then aborts it', async () => {
    const steps: string[] = []
    const { loop, source, holds, end } = open({
      giveBack: async (rows, workerId) => void steps.push(`${workerId} gives back ${rows.join()}`),
    })
    source.push('a', 'b')
    loop.wake()
    await later()
    const { grace, state } = startStop(loop)
    await end('a')
    holds.get('b')?.cut.addEventListener('abort', () => void steps.push('cut'))
    grace.abort()
    await later()
    expect(steps).toEqual(['worker gives back b', 'cut'])
    await end('b')
    expect(state.isStopped).toBe(true)
  })

  test('works on rows whose claim was under way', async () => {
    const claimed = Promise.withResolvers<string[]>()
    const { loop, started, end } = open({ claim: () => claimed.promise })
    await later()
    const { state } = startStop(loop)
    await later()
    claimed.resolve(['a'])
    await later()
    expect([started, state.isStopped]).toEqual([['a'], false])
    await end('a')
    expect(state.isStopped).toBe(true)
  })

  test('is over once its time is, whatever hangs', async () => {
    const { loop, source } = open({ giveBack: () => new Promise(() => undefined) })
    source.push('a')
    loop.wake()
    await later()
    const { grace, time, state } = startStop(loop)
    grace.abort()
    await later()
    expect(state.isStopped).toBe(false)
    time.abort()
    await later()
    expect(state.isStopped).toBe(true)
  })
})
