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
    't=0 0',
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
  const hidden = fc.constantFrom(NUMBER, `+${NUMBER}`, `0${NUMBER.slice(3)}`, '977-981-2345678')
  const around = fc.string({ unit: fc.constantFrom(...'ab <>";:@,=\\/?&. \t'), maxLength: 12 })
  const text = fc.tuple(around, hidden, around).map((parts) => parts.join(''))
  const header = fc.tuple(
    fc.constantFrom(
      'from',
      'to',
      'contact',
      'via',
      'reason',
      'warning',
      'x-anything',
      'diversion',
      'www-authenticate',
      'server',
    ),
    text,
  )
  const message = fc
    .record({ headers: fc.array(header, { maxLength: 6 }), uri: text, sdp: fc.array(text, { maxLength: 6 }) })
    .map(({ headers, uri, sdp }): SipMessage => ({
      kind: 'request',
      method: 'INVITE',
      uri,
      headers: [...headers, ['content-type', 'application/sdp']],
      body: new TextEncoder().encode(
        sdp.map((line, index) => `${'amcbt'.charAt(index % 5)}=${line}`).join('\r\n'),
      ),
    }))

  test('no more than three digits of a number are shown', () => {
    fc.assert(
      fc.property(message, (one) => {
        const shown = maskMessage(one).join('\n').replaceAll('-', '')
        // The digits after the country code, which every form of the number has.
        expect(shown).not.toContain(NUMBER.slice(4, 10))
      }),
    )
  })

  test('no credential and no key is shown', () => {
    const name = fc.constantFrom(
      'authorization',
      'proxy-authorization',
      'authentication-info',
      'identity',
      'x-key',
    )
    fc.assert(
      fc.property(name, around, around, (header, before, after) => {
        const headers = [[header, `${before}${SECRET}${after}`]] as const
        const key = `a=crypto:1 AES_CM_128_HMAC_SHA1_80 ${before}inline:${KEY}${after}`
        const body = new TextEncoder().encode(
          `v=0\r\n${key}\r\na=key-mgmt:mikey ${KEY}\r\nk=clear:${SECRET}\r\n`,
        )
        const shown = maskMessage({
          ...invite,
          headers: [...headers, ['content-type', 'application/sdp']],
          body,
        }).join('\n')
        expect(shown).not.toContain(SECRET)
        expect(shown).not.toContain(KEY)
      }),
    )
  })
})
