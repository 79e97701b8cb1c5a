import { expect, test } from 'vitest'
import { buildResponse } from './build.ts'
import { headerOf, headersOf, type SipMessage, type SipRequest } from './message.ts'
import { parseNameAddr } from './name-addr.ts'
import { parseMessage } from './parse-message.ts'
import { serializeMessage } from './serialize-message.ts'
import { SipParseError } from './sip-parse-error.ts'
import { INVALID_TORTURE, TOLERATED_TORTURE } from '../../test/messages/invalid-torture.ts'
import { VALID_TORTURE } from '../../test/messages/valid-torture.ts'
import { textOf } from '../../test/messages/wire.ts'
import { parseUri } from './uri.ts'
import { parseVia } from './via.ts'

const errorOf = (bytes: Uint8Array): SipParseError => {
  try {
    parseMessage(bytes)
  } catch (error) {
    if (error instanceof SipParseError) return error
    throw error
  }
  throw new Error('parsed')
}

const parseValid = (section: string): SipMessage => {
  const found = Object.entries(VALID_TORTURE).find(([name]) => name.startsWith(`${section} `))
  return parseMessage(found![1])
}

const requestOf = (section: string): SipRequest => {
  const message = parseValid(section)
  if (message.kind === 'response') throw new Error('a response')
  return message
}

test.each(Object.entries(VALID_TORTURE))('reads and writes %s', (_name, bytes) => {
  const message = parseMessage(bytes)
  expect(parseMessage(serializeMessage(message))).toEqual(message)
})

test.each(Object.entries(TOLERATED_TORTURE))('tolerates %s', (_name, bytes) => {
  expect(() => parseMessage(bytes)).not.toThrow()
})

test.each(Object.entries(INVALID_TORTURE))('refuses %s', (_name, { bytes, code, status }) => {
  const error = errorOf(bytes)
  expect(error.code).toBe(code)
  expect(error.refusal?.status).toBe(status)
  if (error.refusal === undefined) return
  const answer = buildResponse(error.refusal, { status: error.refusal.status, toTag: 'r1' })
  expect(textOf(serializeMessage(answer))).toMatch(
    /^SIP\/2\.0 (?:400 Bad Request|505 Version Not Supported)\r\n/,
  )
})

test('reads the tortuous INVITE field by field', () => {
  const message = requestOf('3.1.1.1')
  expect(message).toMatchObject({ method: 'INVITE', uri: 'sip:vivekg@chair-dnrc.example.com;unknownparam' })
  expect(textOf(message.body)).toMatch(/^v=0\r\n[^]*a=rtpmap:31 LPC\r\n$/)
  expect(parseNameAddr(headerOf(message, 'to')!)).toEqual({
    uri: 'sip:vivekg@chair-dnrc.example.com',
    parameters: [['tag', '1918181833n']],
  })
  expect(parseNameAddr(headerOf(message, 'from')!)).toEqual({
    displayName: String.raw`J Rosenberg \"`,
    uri: 'sip:jdrosen@example.com',
    parameters: [['tag', '98asjd8']],
  })
  expect(headersOf(message, 'via').map(parseVia)).toEqual([
    { transport: 'UDP', host: '192.0.2.2', parameters: [['branch', '390skdjuw']] },
    { transport: 'TCP', host: 'spindle.example.com', parameters: [['branch', 'z9hG4bK9ikj8']] },
    { transport: 'UDP', host: '192.168.255.111', parameters: [['branch', 'z9hG4bK30239']] },
  ])
  expect(headerOf(message, 'subject')).toBe('')
  expect(headerOf(message, 'newfangledheader')).toBe('newfangled value continued newfangled value')
  expect(headerOf(message, 'unknownheaderwithunusualvalue')).toBe(';;,,;;,;')
  expect(parseNameAddr(headerOf(message, 'contact')!)).toEqual({
    displayName: 'Quoted string ""',
    uri: 'sip:jdrosen@example.com',
    parameters: [
      ['newparam', 'newvalue'],
      ['secondparam', ''],
      ['q', '0.33'],
    ],
  })
})

test('resolves escapes in URIs, and only there', () => {
  expect(parseUri(requestOf('3.1.1.3').uri)).toMatchObject({
    user: 'sips:user@example.com',
    host: 'example.net',
  })
  const contact = parseNameAddr(headerOf(requestOf('3.1.1.3'), 'contact')!)
  expect(parseUri(contact.uri)).toMatchObject({
    user: 'caller',
    parameters: [
      ['lr', ''],
      ['name', 'value%41'],
    ],
  })
  expect(
    headersOf(requestOf('3.1.1.4'), 'contact').map((value) => parseUri(parseNameAddr(value).uri)),
  ).toMatchObject([{ user: '\0' }, { user: '\0\0' }])
  expect(requestOf('3.1.1.5').method).toBe('RE%47IST%45R')
  expect(headersOf(requestOf('3.1.1.5'), 'contact')).toHaveLength(2)
  expect(parseUri(requestOf('3.1.1.9').uri)).toMatchObject({
    user: 'user;par=u@example.net',
    host: 'example.com',
  })
})

test('reads the unusual characters of 3.1.1.2 as they stand', () => {
  const message = requestOf('3.1.1.2')
  expect(message.method).toBe("!interesting-Method0123456789_*+`.%indeed'~")
  expect(parseUri(message.uri)).toMatchObject({
    user: "1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*",
    password: "&it+has=1,weird!*pas$wo~d_too.(doesn't-it)",
    host: 'example.com',
  })
  expect(parseNameAddr(headerOf(message, 'to')!).displayName).toBe('BEL:\u0007 NUL:\0 DEL:\u007F')
})

test('ignores what follows the message in a datagram, and accepts any reason phrase', () => {
  expect(requestOf('3.1.1.8').body).toHaveLength(0)
  expect(parseValid('3.1.1.12')).toMatchObject({
    status: 200,
    reason: expect.stringContaining('2**3 * 5**2'),
  })
  expect(parseValid('3.1.1.13')).toMatchObject({ status: 100, reason: '' })
  expect(headersOf(parseValid('3.1.1.7'), 'via')).toHaveLength(34)
})
