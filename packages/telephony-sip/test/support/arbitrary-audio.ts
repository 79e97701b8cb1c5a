import * as fc from 'fast-check'
import type { AudioDescription, SrtpKey } from '../../src/sdp/description.ts'

const token = fc.string({ unit: fc.constantFrom(...'abcXYZ019/.'), minLength: 1, maxLength: 12 })
const refused = fc.record({
  media: fc.constantFrom('video', 'application', 'image'),
  protocol: token,
  formats: fc.array(token, { minLength: 1, maxLength: 3 }).map((formats) => formats.join(' ')),
})
const refusedList = fc.array(refused, { minLength: 1, maxLength: 3 })
const payloadTypes = fc.uniqueArray(fc.integer({ min: 96, max: 127 }), { minLength: 7, maxLength: 7 })

export const arbitraryKey: fc.Arbitrary<SrtpKey> = fc.record({
  tag: fc.integer({ min: 1, max: 999_999_999 }),
  suite: fc.constantFrom('AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'),
  keyAndSalt: fc.uint8Array({ minLength: 30, maxLength: 30 }),
})

/** Any description that one side may send. */
export const arbitraryAudio: fc.Arbitrary<AudioDescription> = payloadTypes.chain(
  ([
    pcmu = 96,
    pcma = 97,
    g722 = 98,
    opus = 99,
    telephoneEvent = 100,
    telephoneEvent48kHz = 101,
    comfortNoise = 102,
  ]) =>
    fc.record(
      {
        address: fc.oneof(
          fc.ipV4().filter((address) => Number(address.split('.')[0]) < 224),
          fc.ipV6().filter((address) => !/^ff/iv.test(address)),
        ),
        port: fc.integer({ min: 1, max: 65_535 }),
        rtcpPort: fc.integer({ min: 1, max: 65_535 }),
        codecs: fc.shuffledSubarray(
          [
            { name: 'PCMU', payloadType: 0 },
            { name: 'PCMA', payloadType: 8 },
            { name: 'G722', payloadType: 9 },
            { name: 'PCMU', payloadType: pcmu },
            { name: 'PCMA', payloadType: pcma },
            { name: 'G722', payloadType: g722 },
            { name: 'opus', payloadType: opus },
          ] as const,
          { minLength: 1 },
        ),
        telephoneEvent: fc.constant(telephoneEvent),
        telephoneEvent48kHz: fc.constant(telephoneEvent48kHz),
        comfortNoise: fc.constantFrom(13, comfortNoise),
        direction: fc.constantFrom('sendrecv', 'sendonly', 'recvonly', 'inactive'),
        packetMs: fc.integer({ min: 10, max: 60 }),
        srtp: arbitraryKey,
        refusedBefore: refusedList,
        refusedAfter: refusedList,
      },
      { requiredKeys: ['address', 'port', 'codecs', 'direction', 'packetMs'] },
    ),
)
