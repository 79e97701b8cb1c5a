import { expect, test } from 'vitest'
import { MAX_HEADERS, MAX_LINE_LENGTH, MAX_MESSAGE_BYTES } from './limits.ts'
import { headersOf } from './message.ts'
import { parseMessage } from './parse-message.ts'
import { SipParseError } from './sip-parse-error.ts'
import { wire } from '../../test/messages/wire.ts'

const START = 'INVITE sip:bob@b.example SIP/2.0'
const FIELDS = `Via: SIP/2.0/UDP a.example;branch=z9hG4bKx, SIP/2.0/UDP "x"
From: <sip:a@b.example>;tag=1
To: <sip:a@b.example>
Call-ID: 1
CSeq: 1 INVITE`

const errorOf = (text: string): SipParseError => {
  try {
    parseMessage(wire(text))
  } catch (error) {
    if (error instanceof SipParseError) return error
    throw error
  }
  throw new Error('parsed')
}

const codeWith = (...lines: readonly string[]) => errorOf([START, FIELDS, ...lines, '', ''].join('\n')).code

test('reads one value an entry from lists, but not from fields that only look like lists', () => {
  const text = `${START}
${FIELDS}
k: 100rel,timer ,
Contact: "a, b" <sip:a,z@b.example>, <sip:c@b.example>
Date: Sat, 13 Nov 2010 23:29:00 GMT
Proxy-Authenticate: Digest realm="a", nonce="b"

body`
  const message = parseMessage(wire(text))
  expect(headersOf(message, 'supported')).toEqual(['100rel', 'timer', ''])
  expect(headersOf(message, 'contact')).toEqual(['"a, b" <sip:a,z@b.example>', '<sip:c@b.example>'])
  expect(headersOf(message, 'date')).toHaveLength(1)
  expect(headersOf(message, 'proxy-authenticate')).toHaveLength(1)
  expect(new TextDecoder().decode(message.body)).toBe('body')
})

test('accepts the star Contact, and headers that it does not know', () => {
  expect(parseMessage(wire(`${START}\n${FIELDS}\nContact: *\nX-Any: \u0001;;"<\n\n`))).toMatchObject({
    method: 'INVITE',
  })
})

test.each([
  ['no-colon', 'malformed_header'],
  [': no name', 'malformed_header'],
  ['na me: x', 'malformed_header'],
  ['Subject: a\rVia: b', 'malformed_header'],
  ['Contact: <sip:a@b.example>;x="', 'malformed_header'],
  ['Contact: <sip:b example>', 'malformed_uri'],
  ['Route: nonsense', 'malformed_uri'],
  ['Record-Route: ', 'malformed_uri'],
  ['Max-Forwards: seventy', 'malformed_number'],
  ['Max-Forwards: 1\nMax-Forwards: 1', 'repeated_header'],
  ['i: 2', 'repeated_header'],
  ['Content-Length: 1e3', 'malformed_content_length'],
  [`Content-Length: ${MAX_MESSAGE_BYTES + 1}`, 'too_large'],
  [`X: ${'a'.repeat(MAX_LINE_LENGTH)}`, 'line_too_long'],
  [`X:${'\n '.repeat(MAX_LINE_LENGTH)}`, 'line_too_long'],
  ['X: a\n'.repeat(MAX_HEADERS), 'too_many_headers'],
  [`Allow: ${','.repeat(MAX_HEADERS)}`, 'too_many_headers'],
])('refuses the field %j with %s', (line, code) => {
  expect(codeWith(line)).toBe(code)
})

test.each([
  ['', 'empty'],
  ['\n\n\n', 'empty'],
  [START, 'truncated'],
  [`${START}\n${FIELDS}\n`, 'truncated'],
  ['garbage', 'truncated'],
  ['garbage\n\n', 'malformed_start_line'],
  ['SIP/2.0\n\n', 'malformed_start_line'],
  ['SIP/2.0 099 Low\n\n', 'malformed_start_line'],
  ['SIP/2.0 700 High\n\n', 'malformed_start_line'],
  ['SIP/3.0 200 OK\n\n', 'unsupported_version'],
  [`${START.replace('SIP/2.0', 'HTTP/1.1')}\n\n`, 'malformed_start_line'],
  [`${START}\r\n${FIELDS}\n\n`, 'malformed_start_line'],
  [`INVITE sip:${'a'.repeat(MAX_LINE_LENGTH)} SIP/2.0\n\n`, 'line_too_long'],
  [`${START}\n\n`, 'missing_header'],
  [`${START}\n${FIELDS.replace('Call-ID: 1', 'Call-ID:')}\n\n`, 'missing_header'],
  [`${START}\n${FIELDS.replace('Call-ID: 1', 'Call-ID: a b')}\n\n`, 'malformed_header'],
  [`${START}\n${FIELDS.replace('1 INVITE', '-1 INVITE')}\n\n`, 'malformed_cseq'],
  [`${START}\n${FIELDS.replace('1 INVITE', '1')}\n\n`, 'malformed_cseq'],
])('refuses %j with %s', (text, code) => {
  expect(errorOf(text).code).toBe(code)
})

test('refuses a datagram beyond 64 KiB', () => {
  expect(() => parseMessage(new Uint8Array(MAX_MESSAGE_BYTES + 1))).toThrow(new SipParseError('too_large'))
})

test('offers a refusal only for requests that can be answered', () => {
  const refusalOf = (text: string) => errorOf(text).refusal
  expect(refusalOf(`${START}\n${FIELDS}\nMax-Forwards: x\n\n`)).toEqual({
    status: 400,
    headers: [
      ['via', 'SIP/2.0/UDP a.example;branch=z9hG4bKx'],
      ['via', 'SIP/2.0/UDP "x"'],
      ['from', '<sip:a@b.example>;tag=1'],
      ['to', '<sip:a@b.example>'],
      ['call-id', '1'],
      ['cseq', '1 INVITE'],
    ],
  })
  expect(refusalOf(`${START}\n${FIELDS}\nl: ${MAX_MESSAGE_BYTES + 1}\n\n`)?.status).toBe(513)
  expect(refusalOf(`${START.replace('INVITE', 'ACK')}\n${FIELDS}\n\n`)).toBeUndefined()
  expect(refusalOf(`SIP/2.0 200 OK\n${FIELDS}\nMax-Forwards: x\n\n`)).toBeUndefined()
  expect(refusalOf(`${START}\n${FIELDS.replace('Via: SIP', 'Via: SAP')}\n\n`)).toBeUndefined()
})
