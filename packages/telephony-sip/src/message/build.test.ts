import { expect, test } from 'vitest'
import { buildAck, buildCancel, buildRequest, buildResponse } from './build.ts'
import { headerOf, headersOf, type SipRequest } from './message.ts'
import { parseNameAddr } from './name-addr.ts'
import { parseMessage } from './parse-message.ts'
import { serializeMessage } from './serialize-message.ts'

const from = {
  displayName: 'A "quoted" name',
  uri: 'sip:alice@a.example',
  parameters: [['tag', 'f1']],
} as const
const to = { uri: 'sip:bob@b.example', parameters: [] } as const

const request = buildRequest({
  method: 'INVITE',
  uri: 'sip:bob@b.example',
  from,
  to,
  callId: 'c1',
  sequence: 7,
  route: ['<sip:p1.example;lr>', '<sip:p2.example;lr>'],
  contact: { uri: 'sip:alice@192.0.2.1', parameters: [] },
  headers: [['content-type', 'application/sdp']],
  body: new TextEncoder().encode('v=0\r\n'),
})

const sent: SipRequest = {
  ...request,
  headers: [
    ['via', 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKa'],
    ['via', 'SIP/2.0/UDP 192.0.2.9;branch=z9hG4bKb'],
    ...request.headers,
    ['record-route', '<sip:p1.example;lr>'],
    ['timestamp', '54'],
  ],
}

test('a built request survives the wire', () => {
  expect(parseMessage(serializeMessage(sent))).toEqual(sent)
  expect(headersOf(request, 'route')).toEqual(['<sip:p1.example;lr>', '<sip:p2.example;lr>'])
  expect(headerOf(request, 'max-forwards')).toBe('70')
  expect(parseNameAddr(headerOf(request, 'from') ?? '')).toEqual(from)
})

test('a response copies what identifies the transaction and the dialog', () => {
  const response = buildResponse(sent, {
    status: 200,
    toTag: 't9',
    headers: [['contact', '<sip:b@192.0.2.2>']],
  })
  expect(response).toMatchObject({ status: 200, reason: 'OK' })
  expect(headersOf(response, 'via')).toEqual(headersOf(sent, 'via'))
  for (const name of ['from', 'call-id', 'cseq', 'record-route']) {
    expect(headersOf(response, name)).toEqual(headersOf(sent, name))
  }
  expect(headerOf(response, 'to')).toBe('<sip:bob@b.example>;tag=t9')
  expect(parseMessage(serializeMessage(response))).toEqual(response)
})

test('a response keeps the tag that To already has', () => {
  const inDialog = buildRequest({
    method: 'BYE',
    uri: 'sip:x@192.0.2.2',
    from,
    to: { ...to, parameters: [['tag', 'old']] },
    callId: 'c1',
    sequence: 8,
  })
  expect(headerOf(buildResponse(inDialog, { status: 481, toTag: 'new' }), 'to')).toBe(
    '<sip:bob@b.example>;tag=old',
  )
})

test('only a 100 copies Timestamp, and only responses that form a dialog copy Record-Route', () => {
  expect(headersOf(buildResponse(sent, { status: 100 }), 'timestamp')).toEqual(['54'])
  expect(headersOf(buildResponse(sent, { status: 100 }), 'record-route')).toEqual([])
  expect(headersOf(buildResponse(sent, { status: 180, toTag: 't' }), 'record-route')).toHaveLength(1)
  expect(headersOf(buildResponse(sent, { status: 486, toTag: 't' }), 'record-route')).toEqual([])
  expect(headersOf(buildResponse(sent, { status: 486, toTag: 't' }), 'timestamp')).toEqual([])
})

test('ACK and CANCEL travel along the INVITE to the next hop', () => {
  const response = buildResponse(sent, { status: 487, toTag: 't9' })
  const ack = buildAck(sent, response)
  const cancel = buildCancel(sent)
  for (const along of [ack, cancel]) {
    expect(along.uri).toBe(sent.uri)
    expect(headersOf(along, 'via')).toEqual(['SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKa'])
    expect(headersOf(along, 'route')).toEqual(headersOf(sent, 'route'))
    expect(along.body).toHaveLength(0)
    expect(parseMessage(serializeMessage(along))).toEqual(along)
  }
  expect(headerOf(ack, 'cseq')).toBe('7 ACK')
  expect(headerOf(ack, 'to')).toBe('<sip:bob@b.example>;tag=t9')
  expect(headerOf(cancel, 'cseq')).toBe('7 CANCEL')
  expect(headerOf(cancel, 'to')).toBe('<sip:bob@b.example>')
})
