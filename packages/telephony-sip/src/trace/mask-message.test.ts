import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SipMessage, SipRequest } from '../message/message.ts'
import { maskMessage } from './mask-message.ts'

const NUMBER = '9779812345678'
const KEY = 'WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz'
const SECRET = 'hunter2'

const invite: SipRequest = {
  kind: 'request',
  method: 'INVITE',
  uri: `sip:+${NUMBER}@192.0.2.10;user=phone`,
  headers: [
    ['via', 'SIP/2.0/UDP 198.51.100.23:5060;branch=z9hG4bK7a;rport'],
    ['from', `"Sita Sharma" <sip:sita@example.com>;tag=a1`],
    ['to', `Hari <sip:+${NUMBER}@192.0.2.10>`],
    ['call-id', 'a84b4c76e66710@192.0.2.1'],
    ['cseq', '2 INVITE'],
    ['contact', '<sip:v@198.51.100.23:5060>'],
    ['proxy-authorization', `Digest username="vaani", response="${SECRET}"`],
    ['identity', `eyJ.${SECRET}.x`],
    ['subject', 'Sita Sharma'],
    ['content-type', 'application/sdp'],
  ],
  body: new TextEncoder().encode(
    [
      'v=0',
      'o=sita 1 1 IN IP4 198.51.100.23',
      's=Sita Sharma',
      'c=IN IP4 198.51.100.23',
      't=0 0',
      'm=audio 40000 RTP/SAVP 111 9 0 8 101 110',
      'a=rtpmap:111 opus/48000/2',
      `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${KEY}`,
      'a=sendrecv',
      '',
    ].join('\r\n'),
  ),
}

test('a request is shown without names, numbers, credentials and keys', () => {
  expect(maskMessage(invite)).toEqual([
    'INVITE sip:+977…@192.0.2.10;user=phone SIP/2.0',
    'via: SIP/2.0/UDP 198.51.100.23:5060;branch=z9hG4bK7a;rport',
    'from: "…" <sip:…@example.com>;tag=a1',
    'to: "…" <sip:+977…@192.0.2.10>',
    'call-id: a84b4c76e66710@192.0.2.1',
    'cseq: 2 INVITE',
    'contact: <sip:…@198.51.100.23:5060>',
    'proxy-authorization: …',
    'identity: …',
    'subject: …',
    'content-type: application/sdp',
    '',
    'v=0',
    'c=IN IP4 198.51.100.23',
    'm=audio 40000 RTP/SAVP 111 9 0 8 101 110',
    'a=rtpmap:111 opus/48000/2',
    'a=crypto:1 AES_CM_128_HMAC_SHA1_80 …',
    'a=sendrecv',
  ])
})

test('a challenge is shown without its nonce, and the reason of an end with its text', () => {
  const challenge: SipMessage = {
    kind: 'response',
    status: 407,
    reason: 'Proxy Authentication Required',
    headers: [
      [
        'proxy-authenticate',
        `Digest realm="trunk.example", nonce="${SECRET}", qop="auth", algorithm=SHA-256`,
      ],
      ['reason', 'Q.850;cause=16;text="Normal call clearing"'],
    ],
    body: new Uint8Array(3),
  }
  expect(maskMessage(challenge)).toEqual([
    'SIP/2.0 407 Proxy Authentication Required',
    'proxy-authenticate: Digest realm="trunk.example", qop="auth", algorithm=SHA-256',
    'reason: Q.850;cause=16;text="Normal call clearing"',
    '',
    '(3 bytes)',
  ])
})

describe('whatever a message is', () => {
  // As people and phones write it: RFC 3966 has the separators.
  const number = fc
    .tuple(
      fc.constantFrom('+', '', '00', 'tel:+', 'sip:+'),
      fc.constantFrom('', '-', '.', ' ', '(', ')'),
      fc.constantFrom('977', '0'),
    )
    .map(
      ([sign, separator, country]) =>
        `${sign}${country}${separator}${[...'9812345678'].join(separator === '(' ? '' : separator)}`,
    )
  const around = fc.string({ unit: fc.constantFrom(...'ab <>";:@,=\\/?&. \t'), maxLength: 12 })
  const names =
    'from to contact via reason warning x-anything diversion www-authenticate server authorization proxy-authorization identity ' +
    'p-asserted-identity route subject history-info'
  /** A message that has a text everywhere, alone and within forms that parsers accept. */
  const messageWith = (text: string, before: string, after: string): SipMessage => {
    const values = [
      `${before}${text}${after}`,
      `<sip:${text}@example.com>`,
      `<sip:sita:${text}@example.com>;tag=1`,
      `<sip:sita:pass,${text}@example.com>`,
      `<sip:sita:pass;${text}@example.com>`,
      `<tel:${text}>`,
      `"${text}" <sip:v@example.com>`,
      `${text}, Sita <sip:v@example.com>`,
      `<sip:v@example.com;x=${text}>;x=${text}`,
      `<h323:${text}@example.com>`,
      `Digest realm="r", nonce="${text}", opaque="${text}"`,
      `SIP/2.0/UDP example.com;x=${text}`,
    ]
    const sdp = [
      `a=fmtp:101 inline:${text}`,
      `a=fmtp:101 key=${text}`,
      `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${text}`,
      `a=crypto:1 ${text} inline:x`,
      `a=rtpmap:96 ${text}/8000 x`,
      `m=audio 9 RTP/AVP 0 x${text}`,
      `k=clear:${text}`,
      `s=${text}`,
      `o=${text} 1 1 IN IP4 192.0.2.1`,
      `b=${text}`,
      `t=${text} 0`,
    ]
    return {
      kind: 'request',
      method: 'INVITE',
      uri: `sip:${text}@example.com`,
      headers: [
        ...names.split(' ').flatMap((name) => values.map((value) => [name, value] as const)),
        ['content-type', 'application/sdp'],
      ],
      body: new TextEncoder().encode(sdp.join('\r\n')),
    }
  }
  const shownOf = (message: SipMessage): string =>
    Array.from({ length: Math.ceil(message.headers.length / 90) }, (_, index) =>
      maskMessage({
        ...message,
        headers: [
          ...message.headers.slice(index * 90, (index + 1) * 90),
          ['content-type', 'application/sdp'],
        ],
      }).join('\n'),
    ).join('\n')

  test('no more than three digits of a number are shown, however it is written', () => {
    fc.assert(
      fc.property(number, around, around, (text, before, after) => {
        const digits = shownOf(messageWith(text, before, after)).replaceAll(/[\s()./-]/g, '')
        expect(digits).not.toContain('81234')
        expect(digits).not.toContain('9812')
      }),
    )
  })

  test('no name, password, credential or key is shown that stands where they do', () => {
    fc.assert(
      fc.property(fc.constantFrom(SECRET, KEY, 'Sharma'), fc.constantFrom('"', '<', ','), (text, before) => {
        const { headers, ...rest } = messageWith(text, before, before)
        // Words in headers of free text, such as Server, cannot be told from those of a product.
        const named = headers.filter(([name]) => name !== 'server')
        expect(shownOf({ ...rest, headers: named })).not.toContain(text)
      }),
    )
  })

  test('hostile values are left out, and long messages cut', () => {
    const values = [
      `a${' '.repeat(8000)}b`,
      'sip:'.repeat(2000),
      '"'.repeat(8000),
      '1'.repeat(8000),
      ';'.repeat(8000),
    ]
    const message: SipMessage = {
      ...invite,
      headers: ['from', 'via', 'user-agent', 'reason', 'www-authenticate', 'call-id'].flatMap((name) =>
        Array.from({ length: 40 }, (_, index) => [name, values[index % values.length] ?? ''] as const),
      ),
      body: new Uint8Array(64_000).fill(65),
    }
    const shown = maskMessage(message)
    expect(shown.length).toBeLessThanOrEqual(103)
    expect(shown.join('\n').length).toBeLessThan(5000)
  })
})
