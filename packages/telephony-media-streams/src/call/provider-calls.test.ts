import { setImmediate } from 'node:timers/promises'
import type { CarrierEvent } from '@vaani/telephony'
import { createPacingCells } from '@vaani/telephony/line'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RestRequest } from '../provider/provider.ts'
import type { RestResult } from '../rest/send-request.ts'
import { createTwilio } from '../twilio/create-twilio.ts'
import { signatureOf } from '../twilio/signature.ts'
import { createProviderCalls } from './provider-calls.ts'

const ACCOUNT = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'secret' }
const CALL = `CA${'1'.repeat(32)}`
const OK: RestResult = { type: 'response', response: { status: 200, body: '{}' } }
const PUBLIC_URL = 'https://voice.example.com'

/** A ring as the main thread makes it, with room for one second. */
const createRing = () => ({
  samples: new Int16Array(new SharedArrayBuffer(160 * 50 * 2)),
  cells: new Int32Array(new SharedArrayBuffer(4 * 4)),
  frameSamples: 160,
  capacityFrames: 50,
})

/** The calls of a line whose time passes by hand. */
function open(respond: (request: RestRequest) => RestResult) {
  let nowMs = 0
  let idle = 0
  const sent: RestRequest[] = []
  const events: CarrierEvent[] = []
  const calls = createProviderCalls({
    provider: createTwilio(ACCOUNT),
    sendRequest: async (request) => {
      sent.push(request)
      return respond(request)
    },
    publicUrl: PUBLIC_URL,
    callerId: '+15017122661',
    monotonicMs: () => nowMs,
    epochMs: () => nowMs,
    randomBytes: (size) => Buffer.alloc(size, 7),
    pacingCells: createPacingCells(),
    emit: (_, event) => void events.push(event),
    onIdle: () => void (idle += 1),
  })
  calls.begin({
    id: 1,
    to: '+9779812345678',
    ringTimeoutMs: 45_000,
    maxDurationMs: 60_000,
    receiveAudio: false,
    ring: createRing(),
  })
  const pass = async (durationMs: number) => {
    for (const endMs = nowMs + durationMs; nowMs < endMs; nowMs += 20) calls.tick()
    await setImmediate()
  }
  const reference = '07'.repeat(16)
  const report = (status: string, sequence: number) => {
    const parameters = new URLSearchParams({
      AccountSid: ACCOUNT.accountSid,
      CallSid: CALL,
      CallStatus: status,
      SequenceNumber: String(sequence),
    })
    const signature = signatureOf(ACCOUNT.authToken, `${PUBLIC_URL}/status/${reference}`, parameters)
    return calls.takeCallback(reference, { headerOf: () => signature, body: parameters.toString() })
  }
  const urls = () =>
    sent.map(({ method, url }) => `${method} ${new URL(url).pathname.split('/Accounts/')[1]}`)
  return { calls, pass, report, events, urls, idle: () => idle }
}

const CREATION = `POST ${ACCOUNT.accountSid}/Calls.json`
const HANG_UP = `POST ${ACCOUNT.accountSid}/Calls/${CALL}.json`

test('a call that may exist is given up without a report of it, and hung up once it is reported', async () => {
  const { pass, report, events, urls, idle } = open((request) =>
    request.url.endsWith('/Calls.json') ? { type: 'unknown' } : OK,
  )
  await pass(20)
  await pass(15_000)
  expect(events).toEqual([])
  await pass(20)
  expect(events).toEqual([{ type: 'ended', outcome: 'carrier_error', endedBy: 'carrier', durationMs: 0 }])
  expect(idle()).toBe(1)
  expect(report('ringing', 1)).toBe(true)
  expect(urls()).toEqual([CREATION, HANG_UP])
  report('canceled', 2)
  report('ringing', 1)
  expect(urls()).toEqual([CREATION, HANG_UP])
})

test('a token is no use after its call', async () => {
  const { calls, pass, report } = open(() => ({ type: 'unknown' }))
  await pass(20)
  const token = `${'07'.repeat(16)}.${Buffer.alloc(32, 7).toString('base64url')}`
  report('busy', 1)
  await pass(20)
  expect(calls.redeem(token)).toBeUndefined()
})

test('whatever the provider answers and reports, in whatever order, a call is created once and ends once', async () => {
  const status = fc.constantFrom('initiated', 'ringing', 'in-progress', 'completed', 'busy', 'failed')
  const step = fc.oneof(
    fc.record({ status, sequence: fc.nat(6) }),
    fc.constantFrom('hang_up' as const),
    fc.integer({ min: 20, max: 5000 }),
  )
  const result = fc.constantFrom<RestResult>(
    { type: 'unknown' },
    { type: 'not_sent' },
    { type: 'response', response: { status: 500, body: '' } },
    { type: 'response', response: { status: 201, body: JSON.stringify({ sid: CALL }) } },
    { type: 'response', response: { status: 400, body: '' } },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.array(result, { minLength: 1, maxLength: 8 }),
      async (steps, results) => {
        let next = 0
        const { calls, pass, report, events, urls, idle } = open(() => results[next++ % results.length] ?? OK)
        for (const what of steps)
          if (typeof what === 'number') await pass(what)
          else if (what === 'hang_up') calls.hangUp(1)
          else report(what.status, what.sequence)
        calls.hangUp(1)
        for (let seconds = 0; seconds < 40; seconds += 1) await pass(1000)
        expect(events.filter(({ type }) => type === 'ended')).toHaveLength(1)
        expect(events.at(-1)?.type).toBe('ended')
        expect(urls().filter((url) => url === CREATION).length).toBeLessThanOrEqual(1)
        expect(idle()).toBe(1)
      },
    ),
    { numRuns: 100 },
  )
})
