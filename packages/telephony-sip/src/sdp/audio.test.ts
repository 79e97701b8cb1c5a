import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryAudio } from '../../test/support/arbitrary-audio.ts'
import { parseAudio } from './parse-audio.ts'
import { SdpError } from './sdp-error.ts'
import { writeAudio } from './write-audio.ts'

const sdp = (...lines: string[]): string =>
  ['v=0', 'o=- 1 1 IN IP4 192.0.2.1', 's=-', 't=0 0', ...lines].join('\r\n')
const ADDRESS = 'c=IN IP4 192.0.2.1'
const KEY = 'd0RmdmcmVCspeEc3QGZiNWpVLFJhQX1cfHAwJSoj'

const codeOf = (body: string): string => {
  try {
    parseAudio(body)
    return 'none'
  } catch (error) {
    if (error instanceof SdpError) return error.code
    throw error
  }
}

test('what is written is read back the same', () => {
  fc.assert(
    fc.property(arbitraryAudio, (description) => {
      expect(parseAudio(writeAudio(description, { sessionId: 2n ** 62n, version: 3 }))).toEqual(description)
    }),
  )
})

test('the lines are those of RFC 8866, in its order', () => {
  const body = writeAudio(
    {
      address: '2001:db8::1',
      port: 4000,
      codecs: [
        { name: 'PCMU', payloadType: 0 },
        { name: 'G722', payloadType: 9 },
      ],
      telephoneEvent: 101,
      direction: 'sendrecv',
      packetMs: 20,
    },
    { sessionId: 7, version: 2 },
  )
  expect(body.split('\r\n')).toEqual([
    'v=0',
    'o=- 7 2 IN IP6 2001:db8::1',
    's=-',
    'c=IN IP6 2001:db8::1',
    't=0 0',
    'm=audio 4000 RTP/AVP 0 9 101',
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:9 G722/8000',
    'a=rtpmap:101 telephone-event/8000',
    'a=fmtp:101 0-15',
    'a=ptime:20',
    'a=sendrecv',
    '',
  ])
})

describe('garbage fails with an SdpError and nothing else', () => {
  const line = fc.oneof(
    fc.constantFrom(ADDRESS, 'm=audio 4000 RTP/AVP 0', 'm=audio 4000 RTP/SAVP 8 9', 'a=ptime:x', 'a=rtcp:0'),
    fc.constantFrom(
      'a=__proto__:1',
      'a=rtpmap:__proto__ constructor',
      'm=__proto__ 1 x y',
      'a=rtpmap:0 toString',
    ),
    fc.constantFrom(`a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}|2^31`, 'a=crypto:x y z', 'c=IN IP4 x'),
    fc
      .tuple(fc.constantFrom('m', 'c', 'a', 'a=rtpmap:', 'a=ptime:', 'a=crypto:1 '), fc.string())
      .map((parts) => parts.join('=')),
    fc.string({ unit: 'binary' }),
  )
  const isHandled = (body: string) => {
    codeOf(body)
  }
  test('of lines', () => {
    fc.assert(fc.property(fc.array(line), (lines) => isHandled(sdp(...lines))))
  })
  test('of characters', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), isHandled))
  })
})

describe('reading', () => {
  test('takes static payload types without rtpmap, and a packet of 20 ms by default', () => {
    expect(parseAudio(sdp(ADDRESS, 'm=audio 4000 RTP/AVP 8 0 9 13 18 101'))).toEqual({
      address: '192.0.2.1',
      port: 4000,
      codecs: [
        { name: 'PCMA', payloadType: 8 },
        { name: 'PCMU', payloadType: 0 },
        { name: 'G722', payloadType: 9 },
      ],
      comfortNoise: 13,
      direction: 'sendrecv',
      packetMs: 20,
    })
  })

  test('names of encodings have no case, and the channel may be written out', () => {
    const { codecs, telephoneEvent } = parseAudio(
      sdp(
        ADDRESS,
        'm=audio 4000 RTP/AVP 96 97 98',
        'a=rtpmap:96 pcmu/8000/1',
        'a=rtpmap:97 PCMU/16000',
        'a=rtpmap:98 Telephone-Event/8000',
      ),
    )
    expect(codecs).toEqual([{ name: 'PCMU', payloadType: 96 }])
    expect(telephoneEvent).toBe(98)
  })

  test('an rtpmap takes a static payload type away', () => {
    expect(parseAudio(sdp(ADDRESS, 'm=audio 4000 RTP/AVP 0 8', 'a=rtpmap:0 L16/8000')).codecs).toEqual([
      { name: 'PCMA', payloadType: 8 },
    ])
  })

  test('the lines of the audio hold rather than those of the session', () => {
    const { address, direction } = parseAudio(
      sdp(ADDRESS, 'a=sendonly', 'm=audio 4000 RTP/AVP 0', 'c=IN IP6 2001:db8::7', 'a=recvonly'),
    )
    expect([address, direction]).toEqual(['2001:db8::7', 'recvonly'])
  })

  test('takes LF alone, and a=rtcp with or without an address', () => {
    const body = sdp(ADDRESS, 'm=audio 4000 RTP/AVP 0', 'a=rtcp:4711 IN IP4 192.0.2.2').replaceAll('\r', '')
    expect(parseAudio(body).rtcpPort).toBe(4711)
    expect(parseAudio(sdp(ADDRESS, 'm=audio 4000 RTP/AVP 0', 'a=rtcp:4712')).rtcpPort).toBe(4712)
  })

  test.each([
    ['1', 10],
    ['10', 10],
    ['60', 60],
    ['500', 60],
    ['x', 20],
    ['99999999999', 20],
  ])('a packet time of %s is taken for %i ms', (ptime, packetMs) => {
    expect(parseAudio(sdp(ADDRESS, 'm=audio 4000 RTP/AVP 0', `a=ptime:${ptime}`)).packetMs).toBe(packetMs)
  })

  test('of several streams, takes the first audio that is open, and lists the others in order', () => {
    const description = parseAudio(
      sdp(
        ADDRESS,
        'm=video 5000/2 RTP/AVP 31  32',
        'm=audio 0 RTP/AVP 0',
        'm=audio 5002 UDP/TLS/RTP/SAVPF 0',
        'm=audio 4000 RTP/AVP 0',
        'm=application 9 TCP/BFCP *',
      ),
    )
    expect(description).toMatchObject({
      port: 4000,
      refusedBefore: [
        { media: 'video', protocol: 'RTP/AVP', formats: '31 32' },
        { media: 'audio', protocol: 'RTP/AVP', formats: '0' },
        { media: 'audio', protocol: 'UDP/TLS/RTP/SAVPF', formats: '0' },
      ],
      refusedAfter: [{ media: 'application', protocol: 'TCP/BFCP', formats: '*' }],
    })
  })

  test('skips key lines that it cannot do', () => {
    const inline = `inline:${KEY}`
    const { srtp } = parseAudio(
      sdp(
        ADDRESS,
        'm=audio 4000 RTP/SAVP 0',
        `a=crypto:1 AES_256_CM_HMAC_SHA1_80 ${inline}`,
        `a=crypto:2 AES_CM_128_HMAC_SHA1_80 ${inline}|2^31|1:4`,
        `a=crypto:3 AES_CM_128_HMAC_SHA1_80 ${inline}|1:4`,
        `a=crypto:4 AES_CM_128_HMAC_SHA1_80 ${inline}|2^10`,
        `a=crypto:5 AES_CM_128_HMAC_SHA1_80 ${inline} UNENCRYPTED_SRTP`,
        `a=crypto:6 AES_CM_128_HMAC_SHA1_80 ${inline};${inline}`,
        `a=crypto:7 AES_CM_128_HMAC_SHA1_80 inline:tooShort`,
        `a=crypto:8 AES_CM_128_HMAC_SHA1_32 ${inline}|2^31 WSH=128`,
      ),
    )
    expect(srtp).toEqual({
      tag: 8,
      suite: 'AES_CM_128_HMAC_SHA1_32',
      keyAndSalt: Uint8Array.from(Buffer.from(KEY, 'base64')),
    })
  })

  test('a key in a profile without protection is no offer of it', () => {
    const body = sdp(ADDRESS, 'm=audio 4000 RTP/AVP 0', `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`)
    expect(parseAudio(body).srtp).toBeUndefined()
  })
})

test.each([
  ['', 'malformed'],
  ['v=1', 'malformed'],
  [sdp('x'.repeat(16 * 1024)), 'too_long'],
  [sdp(ADDRESS, ...Array.from({ length: 17 }, () => 'm=audio 1 RTP/AVP 0')), 'too_long'],
  [sdp(ADDRESS), 'no_audio'],
  [sdp(ADDRESS, 'm=video 4000 RTP/AVP 31'), 'no_audio'],
  [sdp(ADDRESS, 'm=audio 4000 RTP/AVPF 0'), 'no_audio'],
  [sdp('m=audio 4000 RTP/AVP 0'), 'malformed'],
  [sdp('c=IN IP4 example.org', 'm=audio 4000 RTP/AVP 0'), 'malformed'],
  [sdp('c=IN IP4 2001:db8::1', 'm=audio 4000 RTP/AVP 0'), 'malformed'],
  [sdp('c=IN IP4 224.2.1.1/127', 'm=audio 4000 RTP/AVP 0'), 'malformed'],
  [sdp('c=IN IP4 255.255.255.255', 'm=audio 4000 RTP/AVP 0'), 'malformed'],
  [sdp('c=IN IP6 FF02::1', 'm=audio 4000 RTP/AVP 0'), 'malformed'],
  [sdp('c=IN IP6 fe80::1%eth0', 'm=audio 4000 RTP/AVP 0'), 'malformed'],
  [sdp(ADDRESS, 'm=audio 65536 RTP/AVP 0'), 'malformed'],
  [sdp(ADDRESS, 'm=audio 4000 RTP/AVP'), 'malformed'],
  [sdp(ADDRESS, 'm=audio 4000 RTP/AVP 0 128'), 'malformed'],
  [sdp(ADDRESS, 'm=vi\rdeo 4000 RTP/AVP 0'), 'malformed'],
  [sdp(ADDRESS, 'm=audio 4000 RTP/AVP 0', 'a=rtcp:0'), 'malformed'],
  [sdp(ADDRESS, 'm=audio 4000 RTP/SAVP 0'), 'srtp_unsupported'],
])('refuses %j with %s', (body, code) => {
  expect(codeOf(body)).toBe(code)
})
