import { expect, test } from 'vitest'
import { SipParseError } from './sip-parse-error.ts'
import { parseVia, responseTargetOf, serializeVia, stampReceived, type Via } from './via.ts'

test.each<[value: string, via: Via]>([
  [
    'SIP/2.0/UDP 192.0.2.1:5080;rport;branch=z9hG4bKx',
    {
      transport: 'UDP',
      host: '192.0.2.1',
      port: 5080,
      parameters: [
        ['rport', ''],
        ['branch', 'z9hG4bKx'],
      ],
    },
  ],
  [
    'sip / 2.0 / tls [2001:db8::9] : 5061 ; received=2001:db8::1',
    { transport: 'TLS', host: '2001:db8::9', port: 5061, parameters: [['received', '2001:db8::1']] },
  ],
])('reads %s', (value, via) => {
  expect(parseVia(value)).toEqual(via)
  expect(parseVia(serializeVia(via))).toEqual(via)
})

test.each([
  '',
  'SIP/2.0/UDP',
  'SIP/2.0/UDP ',
  'SIP/3.0/UDP a.example',
  'HTTP/2.0/UDP a.example',
  'SIP/2.0 a.example',
  'SIP/2.0/UDP/x a.example',
  'SIP/2.0/U@P a.example',
  'SIP/2.0/UDP a.example b.example',
  'SIP/2.0/UDP a.example:x',
  'SIP/2.0/UDP a.example;',
  'SIP/2.0/UDP a.example;branch="x',
])('refuses %j', (value) => {
  expect(() => parseVia(value)).toThrow(new SipParseError('malformed_via'))
})

const source = { address: '198.51.100.7', port: 40_000 }
const stamped = (via: string) =>
  stampReceived(
    [
      ['to', 'x'],
      ['via', via],
      ['via', 'SIP/2.0/UDP last.example'],
    ],
    source,
  )[1]?.[1]

test('notes the source where the sender cannot know it, in the topmost Via alone', () => {
  expect(stamped('SIP/2.0/UDP 10.0.0.1;branch=z9hG4bKx')).toBe(
    'SIP/2.0/UDP 10.0.0.1;branch=z9hG4bKx;received=198.51.100.7',
  )
  expect(stamped('SIP/2.0/UDP 198.51.100.7;branch=z9hG4bKx')).toBe('SIP/2.0/UDP 198.51.100.7;branch=z9hG4bKx')
  expect(stamped('SIP/2.0/UDP 198.51.100.7;rport;branch=z9hG4bKx')).toBe(
    'SIP/2.0/UDP 198.51.100.7;rport=40000;branch=z9hG4bKx;received=198.51.100.7',
  )
  expect(stampReceived([['to', 'x']], source)).toEqual([['to', 'x']])
})

test('overwrites what a sender claims about its source', () => {
  expect(stamped('SIP/2.0/UDP 198.51.100.7;received=203.0.113.1;rport=1')).toBe(
    'SIP/2.0/UDP 198.51.100.7;received=198.51.100.7;rport=40000',
  )
  expect(stamped('SIP/2.0/UDP 198.51.100.7;received=203.0.113.1')).toBe(
    'SIP/2.0/UDP 198.51.100.7;received=198.51.100.7',
  )
})

test.each([
  ['SIP/2.0/UDP a.example', 'a.example', 5060],
  ['SIP/2.0/TLS a.example', 'a.example', 5061],
  ['SIP/2.0/UDP a.example:5080;received=192.0.2.1', '192.0.2.1', 5080],
  ['SIP/2.0/UDP a.example:5080;received=192.0.2.1;rport=9', '192.0.2.1', 9],
  ['SIP/2.0/UDP a.example:5080;rport=99999', 'a.example', 5080],
  ['SIP/2.0/UDP a.example;maddr=203.0.113.1', 'a.example', 5060],
])('a response to %s goes to %s, port %i', (value, host, port) => {
  expect(responseTargetOf(parseVia(value))).toEqual({ host, port })
})
