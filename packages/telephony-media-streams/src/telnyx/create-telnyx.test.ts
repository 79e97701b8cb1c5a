import { describe, expect, test } from 'vitest'
import { StreamMessageError } from '../provider/stream-message-error.ts'
import { createTelnyx } from './create-telnyx.ts'
import { telnyxStream } from './telnyx-stream.ts'

const ACCOUNT = '61bf923e-5e4d-4595-a110-56190ea18a1b'
const CALL = 'v3:9X2vxPDFY2RHSJ1EdMS0RHRksMTg7ldNxdjWbVr9zBjbGjGsSe-aiQ'
const STREAM = '32DE0DEA-53CB-4B21-89A4-9E1819C043BC'
const CALLS = `https://api.telnyx.com/v2/texml/Accounts/${ACCOUNT}/Calls`
const telnyx = createTelnyx(
  {
    accountSid: ACCOUNT,
    applicationSid: '1293384261075731499',
    apiKey: 'key',
    // Of RFC 8032, section 7.1, test 1.
    publicKey: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
  },
  () => 0,
)
const toPlace = {
  to: '+9779812345678',
  from: '+15017122661',
  ringTimeoutMs: 45_000,
  maxDurationMs: 900_500,
  statusUrl: 'https://voice.example.com/status/1',
  mediaUrl: 'wss://voice.example.com/media',
  token: 'a"<b>&c',
}

test('a call is asked for with both limits, all progress events and a two-way stream of RTP', () => {
  const { method, url, headers, body = '' } = telnyx.createCall(toPlace)
  expect({ method, url, headers }).toEqual({
    method: 'POST',
    url: CALLS,
    headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
  })
  expect(JSON.parse(body)).toEqual({
    ApplicationSid: '1293384261075731499',
    To: '+9779812345678',
    From: '+15017122661',
    Texml:
      '<Response><Connect><Stream url="wss://voice.example.com/media" track="inbound_track" codec="PCMU"' +
      ' bidirectionalMode="rtp" bidirectionalCodec="PCMU">' +
      '<Parameter name="token" value="a&quot;&lt;b&gt;&amp;c"/></Stream></Connect></Response>',
    Timeout: 45,
    TimeLimit: 906,
    StatusCallback: 'https://voice.example.com/status/1',
    StatusCallbackMethod: 'POST',
    StatusCallbackEvent: 'initiated ringing answered completed',
  })
})

test.each([
  [1, 1, 5, 30],
  [600_000, 86_400_000, 120, 14_400],
])(
  'limits of %i and %i ms are those that Telnyx takes',
  (ringTimeoutMs, maxDurationMs, Timeout, TimeLimit) => {
    const { body = '' } = telnyx.createCall({ ...toPlace, ringTimeoutMs, maxDurationMs })
    expect(JSON.parse(body)).toMatchObject({ Timeout, TimeLimit })
  },
)

test('a call is hung up, looked up and probed at documented places', () => {
  expect(telnyx.hangUp(CALL)).toMatchObject({
    method: 'POST',
    url: `${CALLS}/${CALL}`,
    body: 'Status=completed',
  })
  expect(telnyx.lookUp(CALL)).toMatchObject({ method: 'GET', url: `${CALLS}/${CALL}` })
  expect(telnyx.probe()).toMatchObject({ method: 'GET', url: `${CALLS}?PageSize=1` })
  expect(telnyx.readLookUp({ status: 200, body: '{"status":"completed"}' })).toEqual({ type: 'completed' })
  expect(telnyx.readLookUp({ status: 404, body: '{}' })).toBeUndefined()
})

test.each([
  [200, `{"sid":"${CALL}"}`, { type: 'created', callSid: CALL }],
  [200, '{"from":"+1","to":"+2","status":"queued"}', { type: 'unknown' }],
  [200, '{"sid":"../.."}', { type: 'unknown' }],
  [401, '', { type: 'refused', verdict: { outcome: 'carrier_error', endedBy: 'carrier' } }],
  [422, '{}', { type: 'refused', verdict: { outcome: 'carrier_error', endedBy: 'carrier' } }],
  [429, '', { type: 'throttled', retryAfterSeconds: 1 }],
  [500, '', { type: 'unknown' }],
])('a response of %i with %j to the creation', (status, body, creation) => {
  expect(telnyx.readCreation({ status, body })).toEqual(creation)
})

test('the example of a callback is read, and one of another account is not', () => {
  const form = { AccountSid: ACCOUNT, CallSid: CALL, CallStatus: 'in-progress', SequenceNumber: '2' }
  const read = (changes: object) =>
    telnyx.readCallback(new URLSearchParams({ ...form, ...changes }).toString())
  expect(read({})).toEqual({ callSid: CALL, sequence: 2, progress: { type: 'answered' } })
  expect(read({ AccountSid: 'other' })).toBeUndefined()
  expect(read({ CallSid: 'v3/../x' })).toBeUndefined()
  expect(read({ CallStatus: 'news of 2030' })).toBeUndefined()
})

describe('a stream', () => {
  const start = (changes: object = {}) =>
    JSON.stringify({
      event: 'start',
      sequence_number: '1',
      stream_id: STREAM,
      start: {
        user_id: ACCOUNT,
        call_control_id: CALL,
        media_format: { encoding: 'PCMU', sample_rate: 8000, channels: 1 },
        custom_parameters: { token: 'secret' },
        ...changes,
      },
    })
  const STARTED = { type: 'start', streamSid: STREAM, callSid: CALL, token: 'secret' }

  test.each([
    [{}],
    [
      {
        custom_parameters: [
          { name: 'other', value: 'x' },
          { name: 'token', value: 'secret' },
        ],
      },
    ],
    [{ media_format: { encoding: 'audio/x-mulaw', sample_rate: 8000, channels: 1 } }],
  ])('whose start is changed by %j begins', (changes) => {
    expect(telnyxStream.readMessage(start(changes))).toEqual(STARTED)
  })

  test.each([
    [{ call_control_id: 'v3/x' }],
    [{ media_format: { encoding: 'OPUS', sample_rate: 16_000, channels: 1 } }],
    [{ media_format: null }],
  ])('whose start is changed by %j is refused', (changes) => {
    expect(() => telnyxStream.readMessage(start(changes))).toThrow(StreamMessageError)
  })

  test('gets messages without its id', () => {
    expect(JSON.parse(String(telnyxStream.writeMedia(STREAM, Uint8Array.of(255))))).toEqual({
      event: 'media',
      media: { payload: '/w==' },
    })
    expect(JSON.parse(telnyxStream.writeMark(STREAM, '4'))).toEqual({ event: 'mark', mark: { name: '4' } })
    expect(JSON.parse(telnyxStream.writeClear(STREAM))).toEqual({ event: 'clear' })
  })
})
