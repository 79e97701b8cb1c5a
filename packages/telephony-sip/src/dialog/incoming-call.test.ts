import { describe, expect, test } from 'vitest'
import {
  AUDIO,
  listen,
  openScriptedTrunk,
  SECOND_TRUNK,
  US,
  withAudio,
} from '../../test/support/scripted-trunk.ts'
import type { IncomingLineCall, Trunk } from '../agent/user-agent.ts'
import { buildRequest } from '../message/build.ts'
import { headerOf, type Headers, type SipResponse } from '../message/message.ts'
import { parseNameAddr } from '../message/name-addr.ts'

const CALLER = { uri: 'sip:+9779800000000@trunk.example', parameters: [['tag', 'caller']] as const }
const ANSWER = { offer: AUDIO, maxDurationMs: 900_000 }

/** Opens an agent that takes calls of its trunk. */
async function open(trunk: Partial<Trunk> = { inbound: {} }) {
  const opened = openScriptedTrunk((_, respond) => respond(200), { trunk })
  const calls: IncomingLineCall[] = []
  let gone = 0
  opened.agent.onIncoming({ onCall: (call) => calls.push(call), onGone: () => (gone += 1) })
  await opened.clock.pass(10)
  let sequence = 1

  /** Calls us. */
  async function invite(parts: { headers?: Headers; body?: Uint8Array; callId?: string } = {}) {
    const responses: SipResponse[] = []
    const offer = withAudio()
    const transaction = opened.trunk.request(
      buildRequest({
        method: 'INVITE',
        uri: 'sip:+9771555000@192.0.2.1',
        from: CALLER,
        to: { uri: 'sip:+9771555000@trunk.example', parameters: [] },
        callId: parts.callId ?? 'incoming',
        sequence,
        contact: { uri: 'sip:gateway@192.0.2.2:5060', parameters: [] },
        headers: [['content-type', 'application/sdp'], ...(parts.headers ?? [])],
        body: parts.body ?? offer.body ?? new Uint8Array(),
      }),
      US,
      {
        onProvisional: (response) => responses.push(response),
        onFinal: (response) => responses.push(response),
        onFailure() {},
      },
    )
    await opened.clock.pass(10)
    return { responses, transaction, statuses: () => responses.map(({ status }) => status) }
  }

  /** Sends a request within the dialog. Resolves with the status of its response. */
  async function ask(method: string, answer: SipResponse | undefined, body?: Uint8Array) {
    const statuses: number[] = []
    if (method !== 'ACK') sequence += 1
    const request = buildRequest({
      method,
      uri: parseNameAddr((answer && headerOf(answer, 'contact')) ?? '<sip:vaani@192.0.2.1>').uri,
      from: CALLER,
      to: parseNameAddr((answer && headerOf(answer, 'to')) ?? ''),
      callId: 'incoming',
      sequence,
      ...(body && { body, headers: [['content-type', 'application/sdp']] as const }),
    })
    if (method === 'ACK') opened.trunk.acknowledge(request, US)
    else
      opened.trunk.request(request, US, {
        onProvisional() {},
        onFinal: ({ status }) => statuses.push(status),
        onFailure() {},
      })
    await opened.clock.pass(10)
    return statuses[0]
  }
  return { ...opened, calls, gone: () => gone, invite, ask }
}

test('rings, is answered, and ends with the BYE of the caller', async () => {
  const { calls, invite, ask, clock } = await open()
  const { responses, statuses } = await invite()
  expect(statuses()).toEqual([180])
  expect(calls).toMatchObject([{ to: '+9771555000', from: '+9779800000000' }])
  const { heard, listener } = listen()
  calls[0]?.answer(ANSWER, listener)
  await clock.pass(10)
  expect(statuses()).toEqual([180, 200])
  await ask('ACK', responses[1])
  expect(heard).toEqual(['media sendrecv', 'answered'])
  expect(await ask('BYE', responses[1])).toBe(200)
  expect(heard.at(-1)).toBe('ended completed callee')
  expect(clock.pending()).toBeLessThan(10)
})

test('is hung up by us, within the dialog that the caller began', async () => {
  const { calls, invite, ask, clock, asked } = await open()
  const { responses } = await invite()
  const { heard, listener } = listen()
  const call = calls[0]?.answer(ANSWER, listener)
  await clock.pass(10)
  await ask('ACK', responses[1])
  call?.hangUp()
  await clock.pass(10)
  const bye = asked().find(({ method }) => method === 'BYE')
  expect(bye).toMatchObject({ uri: 'sip:gateway@192.0.2.2:5060' })
  expect(bye && parseNameAddr(headerOf(bye, 'to') ?? '')).toEqual(CALLER)
  expect(heard.at(-1)).toBe('ended completed agent')
})

test('without an offer gets ours, and its media from the ACK', async () => {
  const { calls, invite, ask, clock } = await open()
  const { responses } = await invite({ body: new Uint8Array() })
  const { heard, listener } = listen()
  calls[0]?.answer(ANSWER, listener)
  await clock.pass(10)
  expect(new TextDecoder().decode(responses[1]?.body)).toContain('m=audio 4000')
  expect(heard).toEqual(['answered'])
  await ask('ACK', responses[1], withAudio().body)
  expect(heard).toEqual(['answered', 'media sendrecv'])
})

test('is over when the caller never acknowledges our answer', async () => {
  const { calls, invite, clock, asked } = await open()
  await invite()
  const { heard, listener } = listen()
  calls[0]?.answer(ANSWER, listener)
  await clock.pass(40_000)
  expect(heard.at(-1)).toBe('ended carrier_error carrier')
  expect(asked().filter(({ method }) => method === 'BYE')).toHaveLength(1)
})

test('lasts no longer than it may', async () => {
  const { calls, invite, ask, clock } = await open()
  const { responses } = await invite()
  const { heard, listener } = listen()
  calls[0]?.answer({ ...ANSWER, maxDurationMs: 5000 }, listener)
  await clock.pass(10)
  await ask('ACK', responses[1])
  await clock.pass(5000)
  expect(heard.at(-1)).toBe('ended duration_limit duration_limit')
})

describe('a caller who gives up', () => {
  test('by CANCEL gets 487, and we ring no longer', async () => {
    const { calls, invite, trunk, clock, gone } = await open()
    const { statuses, transaction } = await invite()
    trunk.cancel(transaction, { onProvisional() {}, onFinal() {}, onFailure() {} })
    await clock.pass(10)
    expect(statuses()).toEqual([180, 487])
    expect(gone()).toBe(1)
    const { heard, listener } = listen()
    calls[0]?.answer(ANSWER, listener)
    expect(heard).toEqual(['ended canceled callee'])
    expect(statuses()).toEqual([180, 487])
  })

  test('by BYE is taken at their word too', async () => {
    const { invite, ask, gone } = await open()
    const { responses, statuses } = await invite()
    expect(await ask('BYE', responses[0])).toBe(200)
    expect(statuses()).toEqual([180, 487])
    expect(gone()).toBe(1)
  })

  test('hears after half a minute that nobody answers', async () => {
    const { invite, clock, gone } = await open()
    const { statuses } = await invite()
    await clock.pass(31_000)
    expect(statuses()).toEqual([180, 480])
    expect(gone()).toBe(1)
  })
})

describe('is refused', () => {
  test.each([
    ['unknown_number', 404],
    ['busy', 486],
    ['rejected', 603],
  ] as const)('as %s with %i', async (reason, status) => {
    const { calls, invite, clock, gone } = await open()
    const { statuses } = await invite()
    calls[0]?.refuse(reason)
    await clock.pass(10)
    expect(statuses()).toEqual([180, status])
    expect(gone()).toBe(0)
  })

  test('if we know none of its codecs, without a BYE', async () => {
    const { calls, invite, clock, asked } = await open()
    const { body } = withAudio({ codecs: [{ name: 'G722', payloadType: 9 }] })
    const { statuses } = await invite(body ? { body } : {})
    const { heard, listener } = listen()
    calls[0]?.answer(ANSWER, listener)
    await clock.pass(100)
    expect(statuses()).toEqual([180, 488])
    expect(heard).toEqual(['ended carrier_error carrier'])
    expect(asked().filter(({ method }) => method === 'BYE')).toEqual([])
  })

  test.each([
    ['requires what we do not know', [['require', 'timer, 100rel']], 420],
    ['wants a session that is too short', [['session-expires', '10']], 422],
  ] as const)('if it %s', async (_name, headers, status) => {
    const { calls, invite, clock } = await open()
    const { statuses } = await invite({ headers })
    calls[0]?.answer(ANSWER, listen().listener)
    await clock.pass(10)
    expect(statuses().at(-1)).toBe(status)
  })

  test('if it is one that rings already, come another way', async () => {
    const { invite, calls } = await open()
    await invite()
    expect((await invite()).statuses()).toEqual([482])
    expect(calls).toHaveLength(1)
  })
})

describe('is taken', () => {
  test('from the trunk alone, and from the addresses that it names', async () => {
    const stranger = await open()
    const statuses: number[] = []
    const invite = buildRequest({
      method: 'INVITE',
      uri: 'sip:+9771555000@192.0.2.1',
      from: CALLER,
      to: { uri: 'sip:+9771555000@trunk.example', parameters: [] },
      callId: 'x',
      sequence: 1,
    })
    stranger.second.request(invite, US, {
      onProvisional: ({ status }) => statuses.push(status),
      onFinal: ({ status }) => statuses.push(status),
      onFailure() {},
    })
    await stranger.clock.pass(10)
    expect([statuses, stranger.calls]).toEqual([[403], []])
    const known = await open({ inbound: { from: [SECOND_TRUNK.address, '198.51.100.0/24'] } })
    known.second.request(invite, US, { onProvisional() {}, onFinal() {}, onFailure() {} })
    await known.clock.pass(10)
    expect(known.calls).toHaveLength(1)
  })

  test('only if somebody listens, and the line takes calls', async () => {
    const opened = await open({})
    expect((await opened.invite()).statuses()).toEqual([403])
  })
})

test.each([
  [[['p-asserted-identity', '<tel:+977-1-555-123>']], '+9771555123'],
  [
    [
      ['p-asserted-identity', '<tel:+9771555123>'],
      ['privacy', 'id'],
    ],
    undefined,
  ],
  [[['p-asserted-identity', '"x" <sip:sales@trunk.example>']], '+9779800000000'],
] as const)('shows the number that the trunk asserts, unless it is withheld: %o', async (headers, number) => {
  const { calls, invite } = await open()
  await invite({ headers })
  expect(calls[0]?.from).toBe(number)
})
