import { describe, expect, test } from 'vitest'
import { collect, theirRequest, TRUNK, US, withAudio } from '../../test/support/scripted-trunk.ts'
import { offer, talk } from '../../test/support/talk.ts'
import { headersOf, type SipResponse } from '../message/message.ts'

test.each([
  [[], 'ended completed callee'],
  [[['reason', 'Q.850;cause=41']] as const, 'ended carrier_error carrier 41'],
])('ends with the BYE of the far end: %o', async (headers, end) => {
  const { ask, heard } = await talk()
  expect(await ask('BYE', { headers })).toMatchObject([{ status: 200 }])
  expect(heard).toEqual([end])
})

describe('hold', () => {
  test('is taken from the far end, and ended by it', async () => {
    const { ask, acknowledge, heard } = await talk()
    expect(await ask('INVITE', offer('sendonly'))).toMatchObject([{ status: 200 }])
    await acknowledge()
    await ask('INVITE', offer('sendrecv'))
    expect(heard).toEqual(['media recvonly', 'media sendrecv'])
  })

  test('is offered by us, and ended by us', async () => {
    let held = false
    const { call, clock, heard } = await talk({
      onRequest() {
        held = !held
        return withAudio({ direction: held ? 'recvonly' : 'sendrecv' })
      },
    })
    const isHeld = call.setHold(true)
    await clock.pass(100)
    const isResumed = call.setHold(false)
    await clock.pass(100)
    expect([await isHeld, await isResumed]).toEqual([true, true])
    expect(heard).toEqual(['media sendonly', 'media sendrecv'])
  })

  test('of ours lasts through an offer of the far end', async () => {
    const { call, clock, ask, heard } = await talk({ onRequest: () => withAudio({ direction: 'recvonly' }) })
    const isHeld = call.setHold(true)
    await clock.pass(100)
    expect(await isHeld).toBe(true)
    await ask('UPDATE', offer('sendrecv'))
    expect(heard).toEqual(['media sendonly', 'media sendonly'])
  })

  test('is refused by us while an offer of ours waits, and offered again when it was refused so', async () => {
    let refusals = 0
    const { call, clock, asked } = await talk({
      onRequest: ({ method }) => (method === 'INVITE' && refusals++ < 2 ? 491 : withAudio()),
    })
    const isHeld = call.setHold(true)
    await clock.pass(10_000)
    expect(await isHeld).toBe(true)
    expect(asked().filter(({ method }) => method === 'INVITE')).toHaveLength(4)
  })

  test('ends the call when the far end knows of none', async () => {
    const { call, clock, heard, asked } = await talk({
      onRequest: ({ method }) => (method === 'BYE' ? 200 : 481),
    })
    const isHeld = call.setHold(true)
    await clock.pass(100)
    expect(await isHeld).toBe(false)
    expect(heard).toEqual(['ended carrier_error carrier'])
    expect(asked().at(-1)?.method).toBe('BYE')
  })
})

test('refuses an offer without a common codec, and a second one before the ACK of the first', async () => {
  const { ask, heard } = await talk()
  const { headers = [], body = new Uint8Array() } = withAudio({ codecs: [{ name: 'G722', payloadType: 9 }] })
  expect(await ask('INVITE', { headers, body })).toMatchObject([{ status: 488 }])
  expect(await ask('INVITE', offer('sendrecv'))).toMatchObject([{ status: 200 }])
  expect(await ask('INVITE', offer('sendonly'))).toMatchObject([{ status: 491 }])
  expect(heard).toEqual(['media sendrecv'])
})

test.each(['INVITE', 'UPDATE'])('keeps the target and the media when it refuses an %s', async (method) => {
  const { ask, call, clock, heard, asked } = await talk()
  const { headers = [], ...parts } = withAudio({ codecs: [{ name: 'G722', payloadType: 9 }] })
  const elsewhere = headers.map(([name, value]) =>
    name === 'contact' ? (['contact', '<sip:elsewhere@192.0.2.3:5060>'] as const) : ([name, value] as const),
  )
  expect(await ask(method, { ...parts, headers: elsewhere })).toMatchObject([{ status: 488 }])
  expect(heard).toEqual([])
  call.hangUp()
  await clock.pass(100)
  expect(asked().at(-1)).toMatchObject({ method: 'BYE', uri: 'sip:callee@192.0.2.2:5060' })
})

test.each(['INVITE', 'UPDATE'])('moves the target when it accepts an %s', async (method) => {
  const { ask, call, clock, asked } = await talk()
  const { headers = [], ...parts } = withAudio()
  const elsewhere = headers.map(([name, value]) =>
    name === 'contact' ? (['contact', '<sip:elsewhere@192.0.2.3:5060>'] as const) : ([name, value] as const),
  )
  expect(await ask(method, { ...parts, headers: elsewhere })).toMatchObject([{ status: 200 }])
  call.hangUp()
  await clock.pass(100)
  expect(asked().at(-1)?.uri).toBe('sip:elsewhere@192.0.2.3:5060')
})

describe('an INVITE of the far end without an offer', () => {
  test('gets ours, and its ACK the answer', async () => {
    const { ask, acknowledge, heard } = await talk()
    const [response] = await ask('INVITE')
    expect(response?.status).toBe(200)
    expect(response?.body.length).toBeGreaterThan(0)
    await acknowledge(offer('sendonly'))
    expect(heard).toEqual(['media recvonly'])
  })

  test.each([
    ['no answer', {}],
    ['a malformed answer', { body: new TextEncoder().encode('v=0') }],
    ['an answer without audio', withAudio({ port: 0 })],
    ['an answer with another codec', withAudio({ codecs: [{ name: 'G722', payloadType: 9 }] })],
  ])('ends the call by a BYE when its ACK has %s', async (_what, parts) => {
    const { ask, acknowledge, heard, asked } = await talk()
    await ask('INVITE')
    await acknowledge(parts)
    expect(heard).toEqual(['ended carrier_error carrier'])
    expect(asked().at(-1)?.method).toBe('BYE')
  })
})

test('takes an UPDATE without an offer while an offer of ours waits', async () => {
  const { ask, call } = await talk({ onRequest: ({ method }) => (method === 'INVITE' ? 180 : 200) })
  void call.setHold(true)
  expect(await ask('UPDATE')).toMatchObject([{ status: 200 }])
  expect(await ask('UPDATE', offer('sendrecv'))).toMatchObject([{ status: 491 }])
})

test('hangs up when the far end never acknowledges its own offer', async () => {
  const { ask, clock, heard } = await talk()
  await ask('INVITE', offer('sendrecv'))
  await clock.pass(33_000)
  expect(heard.at(-1)).toBe('ended carrier_error carrier')
})

test.each([
  ['OPTIONS', 200],
  ['UPDATE', 200],
  ['REFER', 603],
  ['MESSAGE', 405],
  ['PRACK', 481],
])('answers %s with %i', async (method, status) => {
  const { ask } = await talk()
  expect(await ask(method)).toMatchObject([{ status }])
})

test('takes keys by INFO', async () => {
  const { ask, heard } = await talk()
  const body = new TextEncoder().encode('Signal=5\r\nDuration=160\r\n')
  await ask('INFO', { headers: [['content-type', 'application/dtmf-relay']], body })
  await ask('INFO', { headers: [['content-type', 'text/plain']], body })
  expect(heard).toEqual(['key 5'])
})

test('a request with other tags belongs to no call', async () => {
  const { ask, trunk, clock, heard, asked } = await talk()
  const [invite] = asked()
  if (!invite) throw new Error('No INVITE was sent')
  const forged = theirRequest(invite, 'BYE', 99)
  const headers = forged.headers.map(([name, value]) =>
    name === 'from' ? ([name, value.replace('theirs', 'forged')] as const) : ([name, value] as const),
  )
  const finals: SipResponse[] = []
  trunk.request({ ...forged, headers }, US, collect(finals))
  await clock.pass(100)
  expect(finals).toMatchObject([{ status: 481 }])
  expect(heard).toEqual([])
  await ask('BYE')
  expect(heard).toEqual(['ended completed callee'])
})

test('sends its requests along the route set, to the target of the answer', async () => {
  const { call, clock, asked } = await talk({
    answerHeaders: [
      ['record-route', `<sip:${TRUNK.address}:5060;lr;hop=2>`],
      ['record-route', `<sip:${TRUNK.address}:5060;lr;hop=1>`],
    ],
  })
  call.hangUp()
  await clock.pass(100)
  const bye = asked().at(-1)
  expect(bye?.uri).toBe('sip:callee@192.0.2.2:5060')
  expect(bye && headersOf(bye, 'route')).toEqual([
    `<sip:${TRUNK.address}:5060;lr;hop=1>`,
    `<sip:${TRUNK.address}:5060;lr;hop=2>`,
  ])
})
