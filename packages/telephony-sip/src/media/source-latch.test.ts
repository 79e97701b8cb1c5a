import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Arrival, type Endpoint, SourceLatch } from './source-latch.ts'

const SDP: Endpoint = { address: '192.0.2.1', port: 4000 }
const SIGNALLING = '198.51.100.1'
const BEHIND_NAT: Endpoint = { address: SIGNALLING, port: 61_234 }
const STRANGER: Endpoint = { address: '203.0.113.66', port: 4000 }

const arrival = (from: Endpoint, sequenceNumber: number, ssrc = 1): Arrival => ({
  packet: { marker: false, payloadType: 0, timestamp: 0, payload: new Uint8Array(), sequenceNumber, ssrc },
  from,
  arrivalMs: sequenceNumber,
})

/** Returns the numbers of the packets that were taken for those of the call. */
function feed(latch: SourceLatch, arrivals: readonly Arrival[], everyMs = 20): number[] {
  return arrivals.flatMap((each, index) =>
    latch.isHeard(each.from, index * everyMs)
      ? latch.take(each).map(({ packet }) => packet.sequenceNumber)
      : [],
  )
}
const newLatch = (): SourceLatch => {
  const latch = new SourceLatch()
  latch.expect(SDP, SIGNALLING)
  return latch
}

test.each([
  ['the address in SDP', SDP],
  ['another port of it', { ...SDP, port: 9 }],
  ['the address of the signalling', BEHIND_NAT],
])('the source is found at %s, and none of its packets is lost', (_name, from) => {
  const latch = newLatch()
  expect(feed(latch, [arrival(from, 65_535), arrival(from, 0), arrival(from, 1)])).toEqual([65_535, 0, 1])
  expect(latch.source).toEqual(from)
})

test('an IPv6 address is known in any writing', () => {
  const latch = new SourceLatch()
  latch.expect({ address: '2001:DB8:0::0001', port: 4000 }, undefined)
  const from = { address: '2001:db8::1', port: 4000 }
  expect(feed(latch, [arrival(from, 1), arrival(from, 2)])).toEqual([1, 2])
})

describe('a stranger', () => {
  test('at another address is never heard', () => {
    const latch = newLatch()
    expect(
      feed(
        latch,
        [1, 2, 3].map((n) => arrival(STRANGER, n)),
      ),
    ).toEqual([])
    expect(latch.isReporter(STRANGER.address)).toBe(false)
  })

  test('is not heard once the source is known, whatever it sends from wherever', () => {
    const address = fc.constantFrom(SDP, BEHIND_NAT, STRANGER, { ...SDP, port: 4001 })
    fc.assert(
      fc.property(fc.array(fc.tuple(address, fc.nat(65_535), fc.nat(2))), (packets) => {
        const latch = newLatch()
        feed(latch, [arrival(BEHIND_NAT, 1), arrival(BEHIND_NAT, 2)])
        const heard = packets.filter(([from]) => latch.isHeard(from, 40))
        expect(heard.every(([from]) => from === BEHIND_NAT)).toBe(true)
      }),
    )
  })

  test('does not keep the source from being found by sending in between', () => {
    const latch = newLatch()
    const spoofed = { ...SDP, port: 1 }
    const numbers = feed(latch, [
      arrival(SDP, 1),
      arrival(spoofed, 700),
      arrival(spoofed, 800, 2),
      arrival(SDP, 2),
      arrival(spoofed, 801, 2),
    ])
    expect(numbers).toEqual([1, 2])
  })

  test('needs two packets in a row of the same stream', () => {
    const latch = newLatch()
    expect(feed(latch, [arrival(SDP, 1), arrival(SDP, 3), arrival(SDP, 4, 2)])).toEqual([])
    expect(latch.source).toBeUndefined()
  })

  test('is looked at 100 times a second at most', () => {
    const latch = newLatch()
    let heard = 0
    for (let packet = 0; packet < 10_000; packet++) if (latch.isHeard(SDP, packet / 10)) heard += 1
    expect(heard).toBeLessThanOrEqual(200)
  })
})

test('a new address in SDP begins the search anew, and the same one does not', () => {
  const latch = newLatch()
  feed(latch, [arrival(BEHIND_NAT, 1), arrival(BEHIND_NAT, 2)])
  latch.expect({ ...SDP }, SIGNALLING)
  expect(latch.source).toEqual(BEHIND_NAT)
  latch.expect({ ...SDP, port: 5000 }, SIGNALLING)
  expect(latch.source).toBeUndefined()
  expect(feed(latch, [arrival(SDP, 8), arrival(SDP, 9)])).toEqual([8, 9])
})
