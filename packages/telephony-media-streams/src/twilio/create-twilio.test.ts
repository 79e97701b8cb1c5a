import { expect, test } from 'vitest'
import { createTwilio } from './create-twilio.ts'
import { signatureOf } from './signature.ts'

const SID = `AC${'0'.repeat(32)}`
const CALL = `CA${'1'.repeat(32)}`
const account = { accountSid: SID, authToken: 'secret' }
const twilio = createTwilio(account)

const toPlace = {
  to: '+9779812345678',
  from: '+15017122661',
  ringTimeoutMs: 45_000,
  maxDurationMs: 900_500,
  statusUrl: 'https://voice.example.com/status/1',
  mediaUrl: 'wss://voice.example.com/media',
  token: 'a"<b>&c',
}

test('a call is asked for with both limits, all progress events and a two-way stream', () => {
  const { method, url, headers, body } = twilio.createCall(toPlace)
  expect({ method, url }).toEqual({
    method: 'POST',
    url: `https://api.twilio.com/2010-04-01/Accounts/${SID}/Calls.json`,
  })
  expect(headers['authorization']).toBe(`Basic ${Buffer.from(`${SID}:secret`).toString('base64')}`)
  const form = new URLSearchParams(body)
  expect(form.getAll('StatusCallbackEvent')).toEqual(['initiated', 'ringing', 'answered', 'completed'])
  form.delete('StatusCallbackEvent')
  expect(Object.fromEntries(form)).toEqual({
    To: '+9779812345678',
    From: '+15017122661',
    Timeout: '45',
    TimeLimit: '906',
    StatusCallback: 'https://voice.example.com/status/1',
    StatusCallbackMethod: 'POST',
    Twiml:
      '<Response><Connect><Stream url="wss://voice.example.com/media">' +
      '<Parameter name="token" value="a&quot;&lt;b&gt;&amp;c"/></Stream></Connect></Response>',
  })
})

test('a probe asks for calls, which every key that can place calls may read', () => {
  expect(twilio.probe()).toEqual({
    method: 'GET',
    url: `https://api.twilio.com/2010-04-01/Accounts/${SID}/Calls.json?Status=queued&PageSize=1`,
    headers: { authorization: `Basic ${Buffer.from(`${SID}:secret`).toString('base64')}` },
  })
})

test('an API key asks in place of the auth token, which still verifies callbacks', () => {
  const apiUrl = 'https://api.dublin.ie1.twilio.com'
  const withKey = createTwilio({ ...account, apiKey: { sid: 'SK1', secret: 'key' }, apiUrl })
  const { url, headers } = withKey.hangUp(CALL)
  expect(url).toBe(`${apiUrl}/2010-04-01/Accounts/${SID}/Calls/${CALL}.json`)
  expect(headers['authorization']).toBe(`Basic ${Buffer.from('SK1:key').toString('base64')}`)
  const signature = signatureOf('secret', 'https://x.example/status/1', new URLSearchParams('a=b'))
  expect(
    withKey.isAuthentic({ url: 'https://x.example/status/1', headerOf: () => signature, body: 'a=b' }),
  ).toBe(true)
})

test.each([
  [
    { status: 201, body: JSON.stringify({ sid: CALL }) },
    { type: 'created', callSid: CALL },
  ],
  // A call may exist.
  [{ status: 201, body: '{' }, { type: 'unknown' }],
  [{ status: 201, body: JSON.stringify({ sid: '../Calls' }) }, { type: 'unknown' }],
  [{ status: 500, body: '' }, { type: 'unknown' }],
  [{ status: 503, body: '', retryAfterSeconds: 3 }, { type: 'unknown' }],
  [
    { status: 429, body: '', retryAfterSeconds: 3 },
    { type: 'throttled', retryAfterSeconds: 3 },
  ],
  [
    { status: 429, body: '' },
    { type: 'throttled', retryAfterSeconds: 1 },
  ],
])('the response %j to it says %j', (response, creation) => {
  expect(twilio.readCreation(response)).toEqual(creation)
})

test.each([
  [400, { code: 21211 }, 'unreachable'],
  [400, { code: 21210 }, 'carrier_error'],
  [401, { code: 20003 }, 'carrier_error'],
  [307, {}, 'carrier_error'],
])('a refusal with %s and %j ends the call as %s', (status, body, outcome) => {
  const creation = twilio.readCreation({ status, body: JSON.stringify(body) })
  expect(creation).toEqual({ type: 'refused', verdict: { outcome, endedBy: 'carrier' } })
})

test.each([
  [200, true],
  [404, true],
  [400, false],
  [429, false],
  [500, false],
])('hanging up that is answered with %s is final: %s', (status, isOver) => {
  expect(twilio.readHangUp({ status, body: '' })).toBe(isOver)
})

test('a callback is read only if it is complete and of the account', () => {
  const body = (changes: Record<string, string> = {}) =>
    new URLSearchParams({
      AccountSid: SID,
      CallSid: CALL,
      CallStatus: 'busy',
      SequenceNumber: '3',
      SipResponseCode: '486',
      ...changes,
    }).toString()
  expect(twilio.readCallback(body())).toEqual({
    callSid: CALL,
    sequence: 3,
    progress: { type: 'failed', verdict: { outcome: 'busy', endedBy: 'callee' }, sipStatus: 486 },
  })
  for (const changes of [
    { AccountSid: `AC${'9'.repeat(32)}` },
    { CallSid: 'CA1' },
    { CallStatus: 'paused' },
    { SequenceNumber: '-1' },
    { SequenceNumber: '1e3' },
  ])
    expect(twilio.readCallback(body(changes))).toBeUndefined()
})

test.each([
  [200, { status: 'completed' }, { type: 'completed' }],
  [200, { status: 'in-progress' }, { type: 'answered' }],
  [200, {}, undefined],
  [500, { status: 'completed' }, undefined],
])('a look-up that is answered with %s and %j says %j', (status, body, progress) => {
  expect(twilio.readLookUp({ status, body: JSON.stringify(body) })).toEqual(progress)
})
