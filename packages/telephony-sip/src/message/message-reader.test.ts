import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_MESSAGE_BYTES } from './limits.ts'
import { createMessageReader, type StreamItem } from './message-reader.ts'
import { headerOf } from './message.ts'
import { textOf, wire } from '../../test/messages/wire.ts'

const message = (callId: string, body = '', length = String(body.length)) =>
  `OPTIONS sip:a@b.example SIP/2.0
Via: SIP/2.0/TCP a.example;branch=z9hG4bKx
From: <sip:a@b.example>;tag=1
To: <sip:a@b.example>
Call-ID: ${callId}
CSeq: 1 OPTIONS
Content-Length: ${length}

${body}`

const readWhole = (text: string) => createMessageReader().push(wire(text))

const summaryOf = (item: StreamItem): string => {
  switch (item.kind) {
    case 'message':
      return `${headerOf(item.message, 'call-id')} ${textOf(item.message.body)}`
    case 'ping':
      return 'ping'
    case 'malformed':
    case 'broken':
      return `${item.kind} ${item.error.code} ${item.error.refusal?.status}`
  }
}

test('reads messages that arrive together', () => {
  const items = readWhole(`${message('1', 'one')}${message('2')}\n${message('3', 'three')}`)
  expect(items.map(summaryOf)).toEqual(['1 one', '2 ', '3 three'])
})

test('reports a ping once for each double line end, and nothing for a pong', () => {
  expect(readWhole('\n\n').map(summaryOf)).toEqual(['ping'])
  expect(readWhole('\n')).toEqual([])
  expect(readWhole(`\n\n${message('1')}\n\n\n\n${message('2')}\n`).map(summaryOf)).toEqual([
    'ping',
    '1 ',
    'ping',
    'ping',
    '2 ',
  ])
})

test('however a stream is cut, it carries the same', () => {
  const stream = wire(
    `\n\n${message('1', 'x'.repeat(50))}\n${message('2')}\n\n${message('', '!')}${message('3', 'y')}`,
  )
  const whole = createMessageReader().push(stream).map(summaryOf)
  expect(whole).toEqual(['ping', `1 ${'x'.repeat(50)}`, '2 ', 'ping', 'malformed missing_header 400', '3 y'])
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: stream.length })), (cuts) => {
      const reader = createMessageReader()
      const bounds = [0, ...cuts.toSorted((a, b) => a - b), stream.length]
      const items = bounds.flatMap((start, index) =>
        reader.push(stream.subarray(start, bounds[index + 1] ?? start)),
      )
      expect(items.map(summaryOf)).toEqual(whole)
    }),
  )
})

test('a byte at a time, it carries the same', () => {
  const stream = wire(`${message('1', 'z'.repeat(20_000))}${message('2')}`)
  const reader = createMessageReader()
  const items = Array.from(stream, (byte) => reader.push(Uint8Array.of(byte))).flat()
  expect(items.map(summaryOf)).toEqual([`1 ${'z'.repeat(20_000)}`, '2 '])
})

test('a body does not change when later bytes arrive', () => {
  const reader = createMessageReader()
  const chunk = wire(message('1', 'kept'))
  const [first] = reader.push(chunk)
  chunk.fill(0)
  reader.push(wire(message('2', 'other'.repeat(2000))))
  expect(first === undefined ? '' : summaryOf(first)).toBe('1 kept')
})

test('skips a malformed message if its length is known', () => {
  const items = readWhole(`${message('1', 'x').replace('From', 'F@om')}${message('2')}`)
  expect(items.map(summaryOf)).toEqual(['malformed malformed_header undefined', '2 '])
})

test.each([
  ['without a length', message('1').replace(/Content-Length.*\n/, ''), 'broken malformed_content_length 400'],
  ['with two lengths', message('1').replace('CSeq', 'l: 0\nCSeq'), 'broken repeated_header 400'],
  ['with a negative length', message('1', '', '-1'), 'broken malformed_content_length 400'],
  ['with a long body', message('1', '', String(MAX_MESSAGE_BYTES)), 'broken too_large 513'],
  ['with a long head', `:${'a'.repeat(MAX_MESSAGE_BYTES)}\n`, 'broken too_large undefined'],
  ['of another protocol', 'GET / HTTP/1.1\nHost: a.example\n\n', 'broken malformed_content_length undefined'],
])('gives up on a message %s, for good', (_name, text, expected) => {
  const reader = createMessageReader()
  const items = reader.push(wire(message('0') + text + message('2')))
  expect(items.map(summaryOf)).toEqual(['0 ', expected])
  expect(reader.push(wire(message('3')))).toEqual([])
})

test('gives up on a head that does not end', () => {
  const items = readWhole('a'.repeat(MAX_MESSAGE_BYTES + 1))
  expect(items.map(summaryOf)).toEqual(['broken too_large undefined'])
})
