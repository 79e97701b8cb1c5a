import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import type { Cap, Charge, LineCaps } from './line-caps.ts'
import { createDialWithinCaps } from './paid-time.ts'
import { AGENT_ERROR } from './prepare-call.ts'
import type { PaidTime, SessionEnd } from './session.ts'

const CALL = { callId: 'call', accountId: 'account', livemode: true, to: '+9779812345678', carrier: 'line' }
const talkedFor = (durationSeconds: number): SessionEnd => ({
  ...AGENT_ERROR,
  completed: true,
  end: { durationSeconds, endedBy: 'agent' },
})
const log = pino({ level: 'silent' })
const once = <Result>(write: () => Promise<Result>): Promise<Result> => write()

/** A line with room for so many minutes, and a clock that jumps to whatever is waited for. */
function openLine(room: number, options: { fails?: boolean; beforeExtend?: () => void } = {}) {
  let nowMs = 0
  let taken = 0
  const takenAtMs: number[] = []
  const settled: { minutes: number; attempted: boolean; taken: number }[] = []
  const takeMinute = (charge: Charge): Cap | null => {
    if (taken >= room) return 'minutes'
    taken += 1
    takenAtMs.push(nowMs)
    charge.minutes.push('2027-01-01')
    return null
  }
  const lineCaps: LineCaps = {
    isCounted: (carrier) => carrier === 'line',
    findReached: async () => null,
    async take({ callId: _, ...call }: typeof CALL) {
      const charge: Charge = { call, micros: 1, day: '2027-01-01', minutes: [] }
      return takeMinute(charge) ?? charge
    },
    async extend(charge) {
      options.beforeExtend?.()
      if (options.fails === true) throw new Error('The database is away')
      return takeMinute(charge)
    },
    settle: async (charge, used) => void settled.push({ ...used, taken: charge.minutes.length }),
    read: async () => [],
  }
  const dial = createDialWithinCaps({
    lineCaps,
    log,
    monotonicMs: () => nowMs,
    async sleep(ms, signal) {
      signal.throwIfAborted()
      nowMs += ms
    },
  })
  return { dial, takenAtMs, settled, nowMs: () => nowMs }
}

/** Talks until there is no more time. */
const talkOn = (nowMs: () => number) => async (paidTime: PaidTime | undefined) => {
  expect(await paidTime?.runOut(new AbortController().signal)).toBe(true)
  return talkedFor(nowMs() / 1000)
}

describe('a call over a phone line', () => {
  test('takes each minute before it begins, and ends before the first that nobody pays for', async () => {
    const { dial, takenAtMs, settled, nowMs } = openLine(3)
    await dial(CALL, talkOn(nowMs), once)
    expect(takenAtMs).toEqual([0, 51_000, 111_000])
    expect(nowMs()).toBe(178_000)
    expect(settled).toEqual([{ minutes: 3, attempted: true, taken: 3 }])
  })

  test('is not dialled without room for its first minute', async () => {
    const { dial, settled } = openLine(0)
    const end = await dial(CALL, () => Promise.reject(new Error('It was dialled')), once)
    expect(end).toMatchObject({ completed: false, end: { failureReason: 'call-cap' } })
    expect(settled).toEqual([])
  })

  test('ends with its minute if the next cannot be counted', async () => {
    const { dial, nowMs } = openLine(9, { fails: true })
    await dial(CALL, talkOn(nowMs), once)
    expect(nowMs()).toBeLessThan(60_000)
  })

  test.each([
    [
      { ...AGENT_ERROR, end: { failureReason: 'busy' } },
      { minutes: 0, attempted: true },
    ],
    [
      { ...AGENT_ERROR, end: { failureReason: 'carrier-error' }, untaken: true },
      { minutes: 0, attempted: false },
    ],
    [talkedFor(0), { minutes: 1, attempted: true }],
    [talkedFor(60), { minutes: 1, attempted: true }],
    [talkedFor(60.02), { minutes: 2, attempted: true }],
  ] as const)('gives back what it did not use: %o', async (end, used) => {
    const { dial, settled } = openLine(5)
    await dial(CALL, async () => end, once)
    expect(settled).toEqual([{ ...used, taken: 1 }])
  })

  test('gives back a minute that is being taken while it ends', async () => {
    const over = new AbortController()
    const { dial, settled, takenAtMs } = openLine(5, { beforeExtend: () => over.abort() })
    await dial(
      CALL,
      async (paidTime) => {
        void paidTime?.runOut(over.signal)
        return talkedFor(3)
      },
      once,
    )
    expect(takenAtMs).toHaveLength(2)
    expect(settled).toEqual([{ minutes: 1, attempted: true, taken: 2 }])
  })
})

test('a simulator costs nothing, and is not counted', async () => {
  const { dial, settled } = openLine(0)
  const end = await dial(
    { ...CALL, carrier: 'simulator' },
    async (paidTime) => {
      expect(paidTime).toBeUndefined()
      return talkedFor(600)
    },
    once,
  )
  expect(end.completed).toBe(true)
  expect(settled).toEqual([])
})
