import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReceptionStatistics } from './reception-statistics.ts'
import { ReportSession, type StreamState } from './report-session.ts'

const newSession = (nowMs: number, random = () => 0.5) => new ReportSession({ name: 'a', random, nowMs })
const stateOf = (ssrc: number, reception?: ReceptionStatistics): StreamState => ({
  ssrc,
  timestamp: 0,
  clockHz: 8000,
  packets: 100,
  octets: 16_000,
  reception,
})

/** Returns statistics that have heard one packet. */
function heard(ssrc: number): ReceptionStatistics {
  const reception = new ReceptionStatistics(ssrc, 8000)
  reception.take({ sequenceNumber: 1, timestamp: 0 }, 0)
  return reception
}

test('the round trip is what both ways take, whatever the clocks and the wait in between', () => {
  const ms = fc.integer({ min: 0, max: 20_000 })
  const start = fc.double({ min: 1, max: 1e9, noNaN: true })
  fc.assert(
    fc.property(start, start, ms, ms, ms, (ours, theirs, thereMs, waitMs, backMs) => {
      const one = newSession(ours)
      const other = newSession(theirs)
      const into = new Uint8Array(200)
      const options = { isLast: false, into }
      const length = one.write(stateOf(1), ours, options)
      other.take(into.slice(0, length), stateOf(2), theirs + thereMs)
      const answer = other.write(stateOf(2, heard(1)), theirs + thereMs + waitMs, options)
      one.take(into.slice(0, answer), stateOf(1), ours + thereMs + waitMs + backMs)
      expect(Math.abs((one.remote?.roundTripMs ?? -1) - thereMs - backMs)).toBeLessThan(0.1)
    }),
  )
})

test('a report on another source, and a time that cannot be, are not taken', () => {
  const one = newSession(0)
  const other = newSession(0)
  const into = new Uint8Array(200)
  const length = other.write(stateOf(2, heard(9)), 0, { isLast: false, into })
  expect(one.take(into.slice(0, length), stateOf(1), 0)).toBe(true)
  expect(one.remote).toBeUndefined()
  const forged = other.write(stateOf(2, heard(1)), 0, { isLast: false, into })
  // The last sender report, that was never sent.
  into.fill(0x7f, 44, 48)
  one.take(into.slice(0, forged), stateOf(1), 1000)
  expect(one.remote).toEqual({ lostFraction: 0, jitterMs: 0 })
  expect(one.take(Uint8Array.of(1, 2, 3), stateOf(1), 0)).toBe(false)
})

test('reports are 2.5 to 7.5 s apart, and the first comes sooner', () => {
  for (const [random, everyMs] of [
    [0, 2500],
    [0.5, 5000],
    [0.999_999, 7500],
  ] as const) {
    const session = newSession(0, () => random)
    const dueMs: number[] = []
    for (let nowMs = 0; nowMs < 20_000; nowMs += 10) if (session.isDue(nowMs)) dueMs.push(nowMs)
    expect(dueMs.slice(0, 2)).toEqual([everyMs / 2, everyMs * 1.5])
  }
})
