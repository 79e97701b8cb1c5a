import { expect, test } from 'vitest'
import { MAX_MESSAGE_BYTES } from './limits.ts'
import type { SipMessage, SipRequest } from './message.ts'
import { serializeMessage, SipSerializeError } from './serialize-message.ts'
import { textOf } from '../../test/messages/wire.ts'

const request: SipRequest = {
  kind: 'request',
  method: 'INVITE',
  uri: 'sip:a@b.example',
  headers: [
    ['call-id', 'c'],
    ['cseq', '1 INVITE'],
    ['www-authenticate', 'x'],
    ['p-asserted-identity', '<sip:a@b.example>'],
    ['min-se', '90'],
    ['content-length', '999'],
  ],
  body: new TextEncoder().encode('d\u00E9j\u00E0'),
}

test('writes usual names, and the length in bytes', () => {
  expect(textOf(serializeMessage(request))).toBe(
    [
      'INVITE sip:a@b.example SIP/2.0',
      'Call-ID: c',
      'CSeq: 1 INVITE',
      'WWW-Authenticate: x',
      'P-Asserted-Identity: <sip:a@b.example>',
      'Min-SE: 90',
      'Content-Length: 6',
      '',
      'd\u00E9j\u00E0',
    ].join('\r\n'),
  )
})

const response = { kind: 'response', status: 200, reason: 'OK', headers: [], body: new Uint8Array() } as const

test.each<[name: string, message: SipMessage, code: string]>([
  ['a line end in a value', { ...request, headers: [['subject', 'a\r\nVia: b']] }, 'invalid_header'],
  ['a lone line feed in a value', { ...request, headers: [['subject', 'a\nb']] }, 'invalid_header'],
  ['a lone carriage return in a value', { ...request, headers: [['subject', 'a\rb']] }, 'invalid_header'],
  ['a name that is no token', { ...request, headers: [['a: b', 'c']] }, 'invalid_header'],
  ['a method that is no token', { ...request, method: 'A B' }, 'invalid_start_line'],
  ['a space in the URI', { ...request, uri: 'sip:a b' }, 'invalid_start_line'],
  ['a line end in the URI', { ...request, uri: 'sip:a\r\nb' }, 'invalid_start_line'],
  ['no URI', { ...request, uri: '' }, 'invalid_start_line'],
  ['a line end in the reason', { ...response, reason: 'a\r\nb' }, 'invalid_start_line'],
  ['a status out of range', { ...response, status: 99 }, 'invalid_start_line'],
  ['a status that is no integer', { ...response, status: 200.5 }, 'invalid_start_line'],
  ['too long a body', { ...response, body: new Uint8Array(MAX_MESSAGE_BYTES) }, 'too_large'],
])('refuses %s', (_name, message, code) => {
  expect(() => serializeMessage(message)).toThrow(SipSerializeError)
  expect(() => serializeMessage(message)).toThrow(expect.objectContaining({ code }))
})
