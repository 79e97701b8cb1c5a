import { LIMITS } from '@vaani/contracts'
import { describe, expect, test } from 'vitest'
import { ringInTurn } from './ring-in-turn.ts'
import type { SessionEnd } from './session.ts'

type Options = Parameters<typeof ringInTurn<{ carrier: string }, string>>[0]

const RING_MS = LIMITS.ringSeconds * 1000

const end = (changes: Partial<SessionEnd> = {}): SessionEnd => ({
  completed: false,
  end: { failureReason: 'carrier-error', sipStatus: 503 },
  recordingPath: undefined,
  turns: undefined,
  recordingFailure: undefined,
  ...changes,
})
const UNTAKEN = end({ untaken: true })
const BUSY = end({ end: { failureReason: 'busy', sipStatus: 486 } })

/** Rings at `first`, and at `second` and `third` if need be. @param ends how each of them ends */
function ring(
  ends: Readonly<Record<string, SessionEnd>>,
  changes: Partial<Options> & { eachTakesMs?: number } = {},
) {
  const { eachTakesMs = 100, ...options } = changes
  const rung: [carrier: string, ringTimeoutMs: number][] = []
  let nowMs = 0
  const result = ringInTurn({
    first: { call: { carrier: 'first' }, prepared: 'first' },
    others: ['second', 'third'],
    async ring({ call: { carrier }, prepared }, ringTimeoutMs) {
      expect(prepared).toBe(carrier)
      rung.push([carrier, ringTimeoutMs])
      nowMs += eachTakesMs
      return ends[carrier] ?? BUSY
    },
    prepare: async ({ carrier }) => carrier,
    reroute: async () => true,
    signal: new AbortController().signal,
    monotonicMs: () => nowMs,
    ...options,
  })
  return { result, rung }
}

describe('a call whose trunk takes no calls', () => {
  test('is rung at the next carrier, with the rest of the time', async () => {
    const { result, rung } = ring({ first: UNTAKEN, second: BUSY })
    expect(await result).toBe(BUSY)
    expect(rung).toEqual([
      ['first', RING_MS],
      ['second', RING_MS - 100],
    ])
  })

  test('is rung at each carrier once, and ends as at the last', async () => {
    const { result, rung } = ring({ first: UNTAKEN, second: UNTAKEN, third: UNTAKEN })
    expect(await result).toBe(UNTAKEN)
    expect(rung.map(([carrier]) => carrier)).toEqual(['first', 'second', 'third'])
  })

  test('skips a carrier at which it may not be dialled', async () => {
    const prepare: Options['prepare'] = async ({ carrier }) => (carrier === 'second' ? null : carrier)
    const { result, rung } = ring({ first: UNTAKEN }, { prepare })
    await result
    expect(rung.map(([carrier]) => carrier)).toEqual(['first', 'third'])
  })
})

test.each<[string, Parameters<typeof ring>]>([
  ['ended otherwise', [{ first: BUSY }]],
  ['was hung up', [{ first: UNTAKEN }, { signal: AbortSignal.abort() }]],
  ['has no time left to ring', [{ first: UNTAKEN }, { eachTakesMs: RING_MS - 4000 }]],
  ['another has ended, or has rung', [{ first: UNTAKEN }, { reroute: async () => false }]],
])('a call that %s is rung at no other carrier', async (_, [ends, changes]) => {
  const { result, rung } = ring(ends, changes)
  expect(await result).toBe(ends['first'])
  expect(rung).toHaveLength(1)
})
