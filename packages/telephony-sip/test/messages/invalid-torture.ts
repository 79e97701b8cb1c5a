import type { SipParseErrorCode } from '../../src/message/sip-parse-error.ts'
import { wire } from './wire.ts'

/** What RFC 4475 expects of an invalid message: a refusal with a status, or silence. */
export interface InvalidMessage {
  readonly bytes: Uint8Array
  readonly code: SipParseErrorCode
  /** Absent if the message cannot or must not be answered. */
  readonly status?: 400 | 505
}

/** Writes an otherwise correct request. A field with an empty value is left out. */
const request = (startLine: string, fields: Readonly<Record<string, string>>): Uint8Array => {
  const method = startLine.slice(0, startLine.indexOf(' '))
  const all = {
    To: '<sip:user@example.com>',
    From: '<sip:caller@example.net>;tag=134161461246',
    'Max-Forwards': '7',
    'Call-ID': 'torture.0ha0isndaksdjasdf3234nas',
    CSeq: `8 ${method}`,
    Via: 'SIP/2.0/UDP 192.0.2.15;branch=z9hG4bKkdjuw',
    'Content-Length': '0',
    ...fields,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return wire([startLine, ...lines, '', ''].join('\n'))
}

const invite = (fields: Readonly<Record<string, string>>) =>
  request('INVITE sip:user@example.com SIP/2.0', fields)

const startLine = (line: string) => request(line, { CSeq: '8 INVITE' })

/** Invalid messages after RFC 4475, section 3.1.2, by section. 3.1.2.12 and 3.1.2.15 are in `TOLERATED_TORTURE`. */
export const INVALID_TORTURE: Readonly<Record<string, InvalidMessage>> = {
  // Without a readable Via nobody can match the response.
  '3.1.2.1 extraneous separators in Via': {
    bytes: invite({ Via: 'SIP/2.0/UDP 192.0.2.15;;,;,,' }),
    code: 'malformed_via',
  },
  '3.1.2.1 extraneous separators in Contact': {
    bytes: invite({ Contact: '"Joe" <sip:joe@example.org>;;;;' }),
    code: 'malformed_header',
    status: 400,
  },
  '3.1.2.2 Content-Length larger than the message': {
    bytes: invite({ 'Content-Length': '9999' }),
    code: 'truncated',
    status: 400,
  },
  '3.1.2.3 negative Content-Length': {
    bytes: invite({ 'Content-Length': '-999' }),
    code: 'malformed_content_length',
    status: 400,
  },
  '3.1.2.4 overlarge CSeq in a request': {
    bytes: request('REGISTER sip:example.com SIP/2.0', {
      CSeq: '36893488147419103232 REGISTER',
      'Max-Forwards': '300',
      Expires: '10000000000000000000000000000000000000',
      Contact: '<sip:user@host129.example.com>;expires=280297596632815',
    }),
    code: 'malformed_cseq',
    status: 400,
  },
  '3.1.2.4 overlarge Max-Forwards': {
    bytes: invite({ 'Max-Forwards': '300' }),
    code: 'malformed_number',
    status: 400,
  },
  '3.1.2.5 overlarge CSeq in a response': {
    bytes: request('SIP/2.0 503 Service Unavailable', {
      CSeq: '9292394834772304023312 OPTIONS',
      'Retry-After': '949302838503028349304023988',
      Warning: '1812 overture "In Progress"',
    }),
    code: 'malformed_cseq',
  },
  '3.1.2.6 unterminated quoted string': {
    bytes: invite({ To: '"Mr. J. User <sip:j.user@example.com>' }),
    code: 'malformed_address',
    status: 400,
  },
  '3.1.2.7 Request-URI in brackets': {
    bytes: startLine('INVITE <sip:user@example.com> SIP/2.0'),
    code: 'malformed_uri',
    status: 400,
  },
  '3.1.2.8 spaces in the Request-URI': {
    bytes: startLine('INVITE sip:user@example.com; lr SIP/2.0'),
    code: 'malformed_start_line',
    status: 400,
  },
  '3.1.2.9 several spaces in the request line': {
    bytes: startLine('INVITE  sip:user@example.com  SIP/2.0'),
    code: 'malformed_start_line',
    status: 400,
  },
  '3.1.2.10 spaces after the request line': {
    bytes: startLine('INVITE sip:user@example.com SIP/2.0  '),
    code: 'malformed_start_line',
    status: 400,
  },
  '3.1.2.11 headers in the Request-URI': {
    bytes: startLine('INVITE sip:user@example.com?Route=%3Csip:example.com%3E SIP/2.0'),
    code: 'malformed_uri',
    status: 400,
  },
  '3.1.2.13 Contact with headers, without brackets': {
    bytes: request('REGISTER sip:example.com SIP/2.0', {
      Contact: 'sip:user@example.com?Route=%3Csip:sip.example.com%3E',
    }),
    code: 'malformed_address',
    status: 400,
  },
  '3.1.2.14 spaces in an address': {
    bytes: invite({ To: '"Watson, Thomas" < sip:t.watson@example.org >' }),
    code: 'malformed_uri',
    status: 400,
  },
  '3.1.2.16 unknown version': {
    bytes: request('OPTIONS sip:t.watson@example.org SIP/7.0', {}),
    code: 'unsupported_version',
    status: 505,
  },
  '3.1.2.17 CSeq of another method': {
    bytes: request('OPTIONS sip:user@example.com SIP/2.0', { CSeq: '8 INVITE' }),
    code: 'method_mismatch',
    status: 400,
  },
  '3.1.2.18 unknown method, CSeq of another': {
    bytes: request('NEWMETHOD sip:user@example.com SIP/2.0', { CSeq: '8 INVITE' }),
    code: 'method_mismatch',
    status: 400,
  },
  '3.1.2.19 overlarge status': {
    bytes: request('SIP/2.0 4294967301 better not break the receiver', { CSeq: '353494 INVITE' }),
    code: 'malformed_start_line',
  },
  // Sections 3.3.1 and 3.3.8 to 3.3.9, which concern other layers there, are ours here.
  '3.3.1 missing header fields': {
    bytes: wire('INVITE sip:user@example.com SIP/2.0\nCSeq: 193942 INVITE\nContent-Length: 0\n\n'),
    code: 'missing_header',
  },
  '3.3.8 several values of a single-value field': {
    bytes: invite({ 'call-id': 'another' }),
    code: 'repeated_header',
    status: 400,
  },
  '3.3.9 several Content-Length values': {
    bytes: invite({ l: '5' }),
    code: 'repeated_header',
    status: 400,
  },
}

/** Invalid messages that an element may process as if they were valid, as we do. */
export const TOLERATED_TORTURE: Readonly<Record<string, Uint8Array>> = {
  '3.3.16 INVITE of RFC 2543, without branch, tag and Max-Forwards':
    wire(`INVITE sip:UserB@example.com SIP/2.0
Via: SIP/2.0/UDP iftgw.example.com
From: <sip:+13035551111@ift.client.example.net;user=phone>
Record-Route: <sip:UserB@example.com;maddr=ss1.example.com>
To: sip:+16505552222@ss1.example.net;user=phone
Call-ID: inv2543.1717@ift.client.example.com
CSeq: 56 INVITE
Content-Type: application/sdp

v=0
`),
  '3.1.2.12 Date in another zone': invite({ Date: 'Fri, 01 Jan 2010 16:00:00 EST' }),
  '3.1.2.15 unquoted display name with other characters': request(
    'OPTIONS sip:t.watson@example.org SIP/2.0',
    {
      From: 'Bell, Alexander <sip:a.g.bell@example.com>;tag=43',
      To: 'Watson, Thomas <sip:t.watson@example.org>',
    },
  ),
}
