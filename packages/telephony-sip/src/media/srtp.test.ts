import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SrtpKey } from '../sdp/description.ts'
import { createReplayWindow } from './replay-window.ts'
import { writeRtpHeader } from './rtp-packet.ts'
import { applyCounterMode, deriveSessionKeys, packetCounter } from './srtp-keys.ts'
import { SRTP_TRAILER_BYTES, SrtpReceiver, SrtpSender } from './srtp.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(/\s/gv, ''), 'hex'))
const hexOf = (data: Uint8Array): string => Buffer.from(data).toString('hex')

// Master key and salt of RFC 3711, appendix B.3.
const MASTER = 'e1f97a0d3e018be0d64fa32c06de4139 0ec675ad498afeebb6960b3aabe6'
const key = (suite: SrtpKey['suite'] = 'AES_CM_128_HMAC_SHA1_80'): SrtpKey => ({
  tag: 1,
  suite,
  keyAndSalt: bytes(MASTER),
})

function protectedRtp(sender: SrtpSender, sequenceNumber: number, payload: string): Uint8Array {
  const packet = new Uint8Array(12 + payload.length + SRTP_TRAILER_BYTES)
  writeRtpHeader(packet, { marker: false, payloadType: 0, sequenceNumber, timestamp: 0, ssrc: 7 })
  packet.set(Buffer.from(payload), 12)
  return packet.slice(0, sender.protectRtp(packet, 12 + payload.length))
}
const payloadOf = (packet: Uint8Array | undefined): string | undefined =>
  packet && Buffer.from(packet.subarray(12)).toString()

test('the keystream is that of RFC 3711, appendix B.2', () => {
  const cipherKey = bytes('2b7e151628aed2a6abf7158809cf4f3c')
  const counter = packetCounter(bytes('f0f1f2f3f4f5f6f7f8f9fafbfcfd'), 0, 0)
  const stream = applyCounterMode(cipherKey, counter, new Uint8Array(0xff_02 * 16))
  const block = (index: number) => hexOf(stream.subarray(index * 16, index * 16 + 16))
  expect([0, 1, 2, 0xfe_ff, 0xff_00, 0xff_01].map(block)).toEqual([
    'e03ead0935c95e80e166b16dd92b4eb4',
    'd23513162b02d0f72a43a2fe4a5f97ab',
    '41e95b3bb0a2e8dd477901e4fca894c0',
    'ec8cdf7398607cb0f2d21675ea9ea1e4',
    '362b7c3c6773516318a077d7fc5073ae',
    '6a2cc3787889374fbeb4c81b17ba6c44',
  ])
})

test('the session keys are those of RFC 3711, appendix B.3', () => {
  const { cipher, salt, authentication } = deriveSessionKeys(bytes(MASTER), 'rtp')
  expect(hexOf(cipher)).toBe('c61e7a93744f39ee10734afe3ff7a087')
  expect(hexOf(salt)).toBe('30cbbc08863d8c85d49db34a9ae1')
  expect(hexOf(authentication)).toBe('cebe321f6ff7716b6fd4ab49af256a156d38baa4')
})

// The packets with which libsrtp validates itself (test/srtp_driver.c).
describe('packets are those of libsrtp', () => {
  test('of RTP', () => {
    const plain = bytes('800f1234decafbadcafebabe abababababababababababababababab')
    const packet = new Uint8Array(plain.length + SRTP_TRAILER_BYTES)
    packet.set(plain)
    const length = new SrtpSender(key()).protectRtp(packet, plain.length)
    expect(hexOf(packet.subarray(0, length))).toBe(
      '800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb',
    )
  })
  test('of RTCP', () => {
    const packet = bytes('81c8000bcafebabe 7128035be487b9bdbef89041f977a5a8 80000001 993e08cd54d6c1230798')
    const plain = new SrtpReceiver(key()).unprotectRtcp(packet)
    expect(hexOf(plain ?? new Uint8Array())).toBe('81c8000bcafebabeabababababababababababababababab')
  })
})

describe.each(['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const)('%s', (suite) => {
  test('packets arrive in any order within the window, each once, also when their numbers wrap', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Array.from({ length: 40 }, (_, n) => n)), (order) => {
        const sender = new SrtpSender(key(suite))
        const receiver = new SrtpReceiver(key(suite))
        // The receiver joins in before the wrap.
        receiver.unprotectRtp(protectedRtp(sender, 65_500, 'first'))
        const packets = Array.from({ length: 40 }, (_, n) =>
          protectedRtp(sender, (65_520 + n) & 0xff_ff, String(n)),
        )
        for (const n of order) {
          const packet = packets[n] ?? new Uint8Array()
          expect(payloadOf(receiver.unprotectRtp(packet.slice()))).toBe(String(n))
          expect(receiver.unprotectRtp(packet.slice())).toBeUndefined()
        }
      }),
    )
  })

  test('a packet with any bit changed is turned away, and does no harm', () => {
    fc.assert(
      fc.property(fc.nat(8 * 20 - 1), (bit) => {
        const packet = protectedRtp(new SrtpSender(key(suite)), 65_000, 'eight ch')
        const forged = packet.slice()
        forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        const receiver = new SrtpReceiver(key(suite))
        expect(receiver.unprotectRtp(forged)).toBeUndefined()
        expect(payloadOf(receiver.unprotectRtp(packet))).toBe('eight ch')
      }),
    )
  })

  test('reports come through once, and forged ones do not', () => {
    const sender = new SrtpSender(key(suite))
    const receiver = new SrtpReceiver(key(suite))
    for (let report = 0; report < 3; report++) {
      const packet = new Uint8Array(16 + SRTP_TRAILER_BYTES)
      packet.set([0x80, 201, 0, 3, 0, 0, 0, 7, 1, 2, 3, report])
      const whole = packet.slice(0, sender.protectRtcp(packet, 16))
      const forged = whole.slice()
      forged[9] = (forged[9] ?? 0) ^ 1
      expect(receiver.unprotectRtcp(forged)).toBeUndefined()
      expect(receiver.unprotectRtcp(whole.slice())?.subarray(8, 12)).toEqual(Uint8Array.of(1, 2, 3, report))
      expect(receiver.unprotectRtcp(whole)).toBeUndefined()
    }
  })
})

test('any bytes are turned away without an error', () => {
  const receiver = new SrtpReceiver(key())
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (packet) => {
      expect(receiver.unprotectRtp(packet)).toBeUndefined()
      expect(receiver.unprotectRtcp(packet)).toBeUndefined()
    }),
  )
})

test('the rollover counter goes on through several wraps', () => {
  const sender = new SrtpSender(key())
  const receiver = new SrtpReceiver(key())
  for (let packet = 0; packet < 200; packet++) {
    const sequenceNumber = (packet * 1000) & 0xff_ff
    expect(payloadOf(receiver.unprotectRtp(protectedRtp(sender, sequenceNumber, 'x')))).toBe('x')
  }
})

test('a window lets each index in once, as long as it is not too old', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400)), (indexes) => {
      const window = createReplayWindow()
      const added = new Set<number>()
      for (const index of indexes) {
        const isOld = index <= Math.max(-1, ...added) - 128
        expect(window.isNew(index)).toBe(!isOld && !added.has(index))
        if (!window.isNew(index)) continue
        window.add(index)
        added.add(index)
      }
    }),
  )
})
