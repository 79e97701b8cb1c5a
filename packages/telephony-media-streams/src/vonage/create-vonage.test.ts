import { generateKeyPairSync } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StreamMessageError } from '../provider/stream-message-error.ts'
import { createVonage } from './create-vonage.ts'
import { vonageStream } from './vonage-stream.ts'

const CALL = '63f61863-4a51-4f6b-86e1-46edebcf9356'
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
  publicKeyEncoding: { format: 'pem', type: 'spki' },
})
const vonage = createVonage(
  { applicationId: '78d335fa-323d-4114-9c3d-d6f0d48968cf', privateKey, signatureSecret: 'secret' },
  () => 0,
)
const CALLS = 'https://api.nexmo.com/v1/calls'

test('a call is asked for with both limits, and a WebSocket as its only instruction', () => {
  const {
    method,
    url,
    headers,
    body = '',
  } = vonage.createCall({
    to: '+9779812345678',
    from: '+447700900000',
    ringTimeoutMs: 45_000,
    maxDurationMs: 900_500,
    statusUrl: 'https://voice.example.com/status/1',
    mediaUrl: 'wss://voice.example.com/media',
    token: 'token',
  })
  expect({ method, url }).toEqual({ method: 'POST', url: CALLS })
  expect(headers).toEqual({
    authorization: expect.stringMatching(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/),
    'content-type': 'application/json',
  })
  expect(JSON.parse(body)).toEqual({
    to: [{ type: 'phone', number: '9779812345678' }],
    from: { type: 'phone', number: '447700900000' },
    ncco: [
      {
        action: 'connect',
        endpoint: [
          {
            type: 'websocket',
            uri: 'wss://voice.example.com/media',
            'content-type': 'audio/l16;rate=16000',
            headers: { token: 'token' },
          },
        ],
      },
    ],
    event_url: ['https://voice.example.com/status/1'],
    event_method: 'POST',
    ringing_timer: 45,
    length_timer: 906,
  })
})

test('a call is hung up, looked up and probed at documented places', () => {
  expect(vonage.hangUp(CALL)).toMatchObject({
    method: 'PUT',
    url: `${CALLS}/${CALL}`,
    body: '{"action":"hangup"}',
  })
  expect(vonage.lookUp(CALL)).toMatchObject({ method: 'GET', url: `${CALLS}/${CALL}` })
  expect(vonage.probe()).toMatchObject({ method: 'GET', url: `${CALLS}?page_size=1` })
  expect(vonage.readLookUp({ status: 200, body: '{"status":"completed"}' })).toEqual({ type: 'completed' })
})

test.each([
  [201, `{"uuid":"${CALL}","status":"started"}`, { type: 'created', callSid: CALL }],
  [201, '{"uuid":"../.."}', { type: 'unknown' }],
  [401, '', { type: 'refused', verdict: { outcome: 'carrier_error', endedBy: 'carrier' } }],
  [429, '', { type: 'throttled', retryAfterSeconds: 1 }],
  [500, '', { type: 'unknown' }],
])('a response of %i with %j to the creation', (status, body, creation) => {
  expect(vonage.readCreation({ status, body })).toEqual(creation)
})

describe('an event', () => {
  const read = (changes: object) =>
    vonage.readCallback(
      JSON.stringify({
        uuid: CALL,
        status: 'ringing',
        to: '9779812345678',
        timestamp: '2026-12-01T08:00:00.123Z',
        ...changes,
      }),
    )
  const AT = Date.parse('2026-12-01T08:00:00.123Z')

  test.each([
    ['started', { type: 'queued' }, 0],
    ['ringing', { type: 'ringing' }, 1],
    ['answered', { type: 'answered' }, 2],
    ['completed', { type: 'completed' }, 3],
    ['rejected', { type: 'failed', verdict: { outcome: 'rejected', endedBy: 'callee' } }, 3],
    ['unanswered', { type: 'failed', verdict: { outcome: 'no_answer', endedBy: 'callee' } }, 3],
    ['failed', { type: 'failed', verdict: { outcome: 'unreachable', endedBy: 'carrier' } }, 3],
  ])('%s is read, in the order of statuses of one moment', (status, progress, rank) => {
    expect(read({ status })).toEqual({ callSid: CALL, sequence: AT * 4 + rank, progress })
  })

  test.each([
    [{ to: 'wss://voice.example.com/media' }],
    [{ status: 'transfer' }],
    [{ uuid: 'x/../y' }],
    [{ timestamp: 'soon' }],
  ])('with %j is none about the phone', (changes) => {
    expect(read(changes)).toBeUndefined()
  })
})

describe('a stream', () => {
  const read = (message: unknown) => vonageStream.readMessage(JSON.stringify(message))
  const connected = { event: 'websocket:connected', 'content-type': 'audio/l16;rate=16000', token: 'secret' }

  test.each([
    [connected, { type: 'start', streamSid: '', token: 'secret' }],
    [
      { event: 'websocket:dtmf', digit: '5', duration: 260 },
      { type: 'key', digit: '5' },
    ],
    [
      { event: 'websocket:notify', payload: { name: '17' } },
      { type: 'mark', name: '17' },
    ],
    [{ event: 'websocket:cleared' }, { type: 'other' }],
  ])('%j is read', (message, expected) => {
    expect(read(message)).toEqual(expected)
  })

  test.each([
    [{ ...connected, 'content-type': 'audio/l16;rate=8000' }],
    [{ event: 'websocket:dtmf', digit: '55' }],
    [{ event: 'websocket:notify', payload: {} }],
    [{ event: 7 }],
    [null],
  ])('%j is refused', (message) => {
    expect(() => read(message)).toThrow(StreamMessageError)
  })

  test('whatever text comes, only its own error is thrown', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          vonageStream.readMessage(text)
        } catch (error) {
          expect(error).toBeInstanceOf(StreamMessageError)
        }
      }),
    )
  })

  test('carries linear PCM, which survives both ways', () => {
    const { encode, decode } = vonageStream.encoding
    fc.assert(
      fc.property(fc.int16Array(), (samples) => {
        expect(decode(encode(samples))).toEqual(samples)
      }),
    )
    expect(vonageStream.readMessage(Uint8Array.of(1, 2))).toEqual({
      type: 'media',
      payload: Uint8Array.of(1, 2),
    })
    expect(() => vonageStream.readMessage(new Uint8Array(8001))).toThrow(StreamMessageError)
    expect(vonageStream.writeMark('', '4')).toBe('{"action":"notify","payload":{"name":"4"}}')
    expect(vonageStream.writeClear('')).toBe('{"action":"clear"}')
  })
})
