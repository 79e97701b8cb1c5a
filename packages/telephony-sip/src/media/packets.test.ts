import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRtcp, type RtcpPacket, writeRtcp } from './rtcp-packet.ts'
import { readRtp, RTP_HEADER_BYTES, writeRtpHeader } from './rtp-packet.ts'

const uint32 = fc.integer({ min: 0, max: 0xff_ff_ff_ff })
const header = fc.record({
  marker: fc.boolean(),
  payloadType: fc.integer({ min: 0, max: 127 }),
  sequenceNumber: fc.integer({ min: 0, max: 0xff_ff }),
  timestamp: uint32,
  ssrc: uint32,
})
const reports = fc.array(
  fc.record({
    ssrc: uint32,
    fractionLost: fc.integer({ min: 0, max: 255 }),
    cumulativeLost: fc.integer({ min: -(2 ** 23), max: 2 ** 23 - 1 }),
    highestSequenceNumber: uint32,
    jitter: uint32,
    lastSenderReport: uint32,
    delaySinceLastSenderReport: uint32,
  }),
  { maxLength: 3 },
)
const report: fc.Arbitrary<RtcpPacket> = fc.oneof(
  fc.record({ kind: fc.constant('receiver_report'), ssrc: uint32, reports }),
  fc.record({
    kind: fc.constant('sender_report'),
    ssrc: uint32,
    ntpSeconds: uint32,
    ntpFraction: uint32,
    rtpTimestamp: uint32,
    packets: uint32,
    octets: uint32,
    reports,
  }),
)
const further: fc.Arbitrary<RtcpPacket> = fc.oneof(
  fc.record({ kind: fc.constant('canonical_name'), ssrc: uint32, name: fc.string({ maxLength: 40 }) }),
  fc.record({ kind: fc.constant('bye'), ssrcs: fc.array(uint32, { maxLength: 31 }) }),
)

test('an RTP packet is read as it was written', () => {
  fc.assert(
    fc.property(header, fc.uint8Array({ maxLength: 200 }), (fields, payload) => {
      const packet = new Uint8Array(RTP_HEADER_BYTES + payload.length)
      writeRtpHeader(packet, fields)
      packet.set(payload, RTP_HEADER_BYTES)
      expect(readRtp(packet)).toEqual({ ...fields, payload })
    }),
  )
})

test('contributing sources, an extension and padding are left out of the payload', () => {
  const packet = Uint8Array.from([
    0xb1, 0x80, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 9, 9, 9, 9, 0xbe, 0xde, 0, 1, 1, 2, 3, 4, 7, 8, 0, 0, 3,
  ])
  expect(readRtp(packet)).toEqual({
    marker: true,
    payloadType: 0,
    sequenceNumber: 1,
    timestamp: 2,
    ssrc: 3,
    payload: Uint8Array.of(7, 8),
  })
})

test('no RTP is read from lengths that do not add up', () => {
  const packet = (first: number, ...rest: number[]) =>
    Uint8Array.of(first, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, ...rest)
  expect(readRtp(packet(0x80).subarray(0, 11))).toBeUndefined()
  expect(readRtp(packet(0x40))).toBeUndefined()
  expect(readRtp(packet(0x81, 1, 2, 3))).toBeUndefined()
  expect(readRtp(packet(0x90, 0, 0, 0))).toBeUndefined()
  expect(readRtp(packet(0x90, 0, 0, 0, 1))).toBeUndefined()
  expect(readRtp(packet(0xa0, 1, 3))).toBeUndefined()
  expect(readRtp(packet(0xa0, 1, 0))).toBeUndefined()
})

test('any bytes are read without an error, and no payload is longer than the packet', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (bytes, isVersion2) => {
      if (isVersion2 && bytes.length > 0) bytes[0] = 0x80 | ((bytes[0] ?? 0) & 0x3f)
      expect(readRtp(bytes)?.payload.length ?? 0).toBeLessThanOrEqual(bytes.length)
      expect(readRtcp(bytes).length).toBeLessThanOrEqual(bytes.length)
    }),
    { numRuns: 1000 },
  )
})

test('a compound of RTCP is read as it was written', () => {
  fc.assert(
    fc.property(report, fc.array(further, { maxLength: 4 }), (first, others) => {
      const into = new Uint8Array(2000)
      const length = writeRtcp([first, ...others], into)
      expect(length % 4).toBe(0)
      expect(readRtcp(into.subarray(0, length))).toEqual([first, ...others])
    }),
  )
})

test('a compound that is cut, or begins with something else than a report, is not read', () => {
  const into = new Uint8Array(200)
  const length = writeRtcp(
    [
      { kind: 'receiver_report', ssrc: 1, reports: [] },
      { kind: 'canonical_name', ssrc: 1, name: 'a' },
    ],
    into,
  )
  for (let cut = 1; cut < length; cut++)
    expect(readRtcp(into.subarray(0, cut))).toHaveLength(cut === 8 ? 1 : 0)
  expect(readRtcp(into.subarray(8, length))).toEqual([])
})

test('padding may end a compound, and packets of unknown kinds are skipped', () => {
  const rr = [0x80, 201, 0, 1, 0, 0, 0, 1]
  expect(
    readRtcp(Uint8Array.of(...rr, 0x80, 204, 0, 1, 1, 1, 1, 1, 0xa1, 203, 0, 2, 0, 0, 0, 1, 0, 0, 0, 4)),
  ).toEqual([
    { kind: 'receiver_report', ssrc: 1, reports: [] },
    { kind: 'bye', ssrcs: [1] },
  ])
})
