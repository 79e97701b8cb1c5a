import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StreamMessageError } from './stream-message-error.ts'
import { twilioStream } from '../twilio/twilio-stream.ts'

const CALL = `CA${'0'.repeat(32)}`
const STREAM = `MZ${'1'.repeat(32)}`
const read = (message: unknown) => twilioStream.readMessage(JSON.stringify(message))

const start = (changes: object = {}) => ({
  event: 'start',
  sequenceNumber: '1',
  streamSid: STREAM,
  start: {
    accountSid: `AC${'2'.repeat(32)}`,
    streamSid: STREAM,
    callSid: CALL,
    tracks: ['inbound'],
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
    customParameters: { token: 'secret' },
    ...changes,
  },
})

test.each([
  [start(), { type: 'start', streamSid: STREAM, callSid: CALL, token: 'secret' }],
  [start({ customParameters: {} }), { type: 'start', streamSid: STREAM, callSid: CALL }],
  [
    { event: 'media', media: { track: 'inbound', chunk: '2', timestamp: '5', payload: '/wD/' } },
    { type: 'media', payload: Buffer.from([0xff, 0, 0xff]) },
  ],
  [
    { event: 'dtmf', dtmf: { track: 'inbound_track', digit: '#' } },
    { type: 'key', digit: '#' },
  ],
  [
    { event: 'mark', mark: { name: '17' } },
    { type: 'mark', name: '17' },
  ],
  [{ event: 'stop', stop: { callSid: CALL } }, { type: 'stop' }],
  [{ event: 'connected', protocol: 'Call', version: '1.0.0' }, { type: 'other' }],
  [{ event: 'news of 2030' }, { type: 'other' }],
])('%j is read', (message, expected) => {
  expect(read(message)).toEqual(expected)
})

describe('a message that the protocol does not allow is refused', () => {
  test.each([
    [start({ callSid: 'CA/../x' })],
    [start({ streamSid: undefined })],
    [start({ mediaFormat: { encoding: 'audio/x-l16', sampleRate: 16_000, channels: 1 } })],
    [{ event: 'start' }],
    [{ event: 'media', media: { track: 'outbound', payload: '/wD/' } }],
    [{ event: 'media', media: { track: 'inbound', payload: '/wD' } }],
    [{ event: 'media', media: { track: 'inbound', payload: '/w D' } }],
    [{ event: 'media', media: { track: 'inbound', payload: 'A'.repeat(5340) } }],
    [{ event: 'dtmf', dtmf: { digit: '12' } }],
    [{ event: 'mark', mark: { name: 'x'.repeat(65) } }],
    [{ event: 7 }],
    [[]],
    [null],
  ])('%j', (message) => {
    expect(() => read(message)).toThrow(StreamMessageError)
  })
})

test('whatever text comes, only its own error is thrown, which has nothing of the text', () => {
  const json = fc.json().map((text) => text)
  const near = fc
    .record({
      event: fc.constantFrom('start', 'media', 'dtmf', 'mark', 'stop', 'connected'),
      start: fc.anything(),
      media: fc.anything(),
      dtmf: fc.anything(),
      mark: fc.anything(),
    })
    .map((message) =>
      JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    )
  fc.assert(
    fc.property(fc.oneof(fc.string(), json, near), (text) => {
      try {
        twilioStream.readMessage(text)
      } catch (error) {
        expect(error).toBeInstanceOf(StreamMessageError)
      }
    }),
  )
})

test('what we write is what Twilio documents', () => {
  expect(JSON.parse(String(twilioStream.writeMedia(STREAM, Uint8Array.of(255, 0, 255))))).toEqual({
    event: 'media',
    streamSid: STREAM,
    media: { payload: '/wD/' },
  })
  expect(JSON.parse(twilioStream.writeMark(STREAM, '4'))).toEqual({
    event: 'mark',
    streamSid: STREAM,
    mark: { name: '4' },
  })
  expect(JSON.parse(twilioStream.writeClear(STREAM))).toEqual({ event: 'clear', streamSid: STREAM })
})
