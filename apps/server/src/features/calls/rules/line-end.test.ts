import type { CallEnded } from '@vaani/telephony'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeLine } from './line-end.ts'

const ENDED: CallEnded = { type: 'ended', outcome: 'busy', endedBy: 'callee', durationMs: 0 }
const QUALITY = {
  packetsSent: 500,
  packetsReceived: 480,
  lostFraction: 0.040_04,
  jitterMs: 3.123,
  mos: 4.1234,
}

test('a call that was refused keeps the status and the cause of the line', () => {
  const ended = { ...ENDED, sipStatus: 486, q850Cause: 17 }
  expect(describeLine(ended, { answered: false })).toEqual({ sipStatus: 486, q850Cause: 17 })
})

test('an answered call keeps its quality, rounded, and no status', () => {
  const quality = { ...QUALITY, roundTripMs: 41.26, remoteLostFraction: 0.01, remoteJitterMs: 2.55 }
  expect(describeLine({ ...ENDED, sipStatus: 200, quality }, { answered: true })).toEqual({
    quality: {
      mos: 4.12,
      packets_sent: 500,
      packets_received: 480,
      lost_fraction: 0.04,
      jitter_ms: 3.1,
      round_trip_ms: 41.3,
      remote_lost_fraction: 0.01,
      remote_jitter_ms: 2.5,
    },
  })
})

test('without a packet of the far end, nothing is estimated from packets', () => {
  const quality = { ...QUALITY, packetsReceived: 0, lostFraction: 0, jitterMs: 0 }
  expect(describeLine({ ...ENDED, quality }, { answered: true })).toEqual({
    quality: { packets_sent: 500, packets_received: 0 },
  })
})

test('a carrier that measures nothing leaves nothing', () => {
  expect(describeLine(ENDED, { answered: false })).toEqual({})
})

test('whatever numbers a carrier reports, they fit the record', () => {
  const number = fc.double()
  const ends = fc.record({
    answered: fc.boolean(),
    sipStatus: number,
    q850Cause: number,
    quality: fc.record({
      packetsSent: number,
      packetsReceived: number,
      lostFraction: number,
      jitterMs: number,
      mos: number,
      roundTripMs: number,
    }),
  })
  fc.assert(
    fc.property(ends, ({ answered, ...ended }) => {
      const { sipStatus = 300, q850Cause = 0, quality } = describeLine({ ...ENDED, ...ended }, { answered })
      expect(sipStatus >= 300 && sipStatus < 700 && q850Cause >= 0 && q850Cause < 128).toBe(true)
      expect(JSON.stringify(quality ?? {})).not.toContain('null')
    }),
  )
})
