import { describe, expect, test } from 'vitest'
import {
  CALL,
  collect,
  listen,
  openScriptedTrunk,
  theirRequest,
  TRUNK,
  US,
  withAudio,
  type Script,
} from '../../test/support/scripted-trunk.ts'
import { headerOf, headersOf, type Headers, type SipRequest, type SipResponse } from '../message/message.ts'
import type { Direction } from '../sdp/description.ts'

/** Places a call that is answered. @param onRequest what the trunk does with later requests; by default it says 200 */
async function talk(
  given: {
    answerHeaders?: Headers
    onRequest?: (method: string) => ReturnType<typeof withAudio> | number
  } = {},
) {
  const { answerHeaders = [], onRequest = () => withAudio() } = given
  let invite: SipRequest | undefined
  const script: Script = ({ request }, respond) => {
    const isFirst = request.method === 'INVITE' && invite === undefined
    const answer = isFirst ? withAudio() : onRequest(request.method)
    if (isFirst) invite = request
    if (typeof answer === 'number') return respond(answer)
    respond(200, { ...answer, headers: [...(answer.headers ?? []), ...(isFirst ? answerHeaders : [])] })
  }
  const opened = openScriptedTrunk(script)
  const { heard, listener } = listen()
  const call = opened.agent.call(CALL, listener)
  await opened.clock.pass(100)
  heard.splice(0)
  let sequence = 0
  /** Sends a request of the far end. Resolves with its final responses. */
  const ask = async (method: string, parts: { headers?: Headers; body?: Uint8Array } = {}) => {
    if (!invite) throw new Error('No INVITE has come')
    const finals: SipResponse[] = []
    opened.trunk.request(theirRequest(invite, method, (sequence += 1), parts), US, collect(finals))
    await opened.clock.pass(10)
    return finals
  }
  const acknowledge = async () => {
    if (!invite) throw new Error('No INVITE has come')
    opened.trunk.acknowledge(theirRequest(invite, 'ACK', sequence), US)
    await opened.clock.pass(10)
  }
  return { ...opened, heard, call, ask, acknowledge }
}

const offer = (direction: Direction) => {
  const { headers = [], body = new Uint8Array() } = withAudio({ direction })
  return { headers, body }
}

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
      onRequest: (method) => (method === 'INVITE' && refusals++ < 2 ? 491 : withAudio()),
    })
    const isHeld = call.setHold(true)
    await clock.pass(10_000)
    expect(await isHeld).toBe(true)
    expect(asked().filter(({ method }) => method === 'INVITE')).toHaveLength(4)
  })

  test('ends the call when the far end knows of none', async () => {
    const { call, clock, heard, asked } = await talk({
      onRequest: (method) => (method === 'BYE' ? 200 : 481),
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

describe('a session timer', () => {
  test('ends the call if the far end, on which it is to refresh, does not', async () => {
    const { clock, heard } = await talk({ answerHeaders: [['session-expires', '90;refresher=uas']] })
    await clock.pass(59_000)
    expect(heard).toEqual([])
    await clock.pass(2000)
    expect(heard).toEqual(['ended carrier_error carrier'])
  })

  test('goes on when the far end refreshes', async () => {
    const { clock, heard, ask } = await talk({ answerHeaders: [['session-expires', '90;refresher=uas']] })
    for (let minute = 0; minute < 5; minute += 1) {
      await clock.pass(40_000)
      const [response] = await ask('UPDATE', { headers: [['session-expires', '90;refresher=uac']] })
      expect(response && headersOf(response, 'session-expires')).toEqual(['90;refresher=uac'])
    }
    expect(heard).toEqual([])
  })

  test('is refreshed by us halfway, if that is on us', async () => {
    const { clock, heard, asked } = await talk({
      answerHeaders: [['session-expires', '90;refresher=uac']],
      onRequest: () => {
        const { headers = [], ...parts } = withAudio()
        return { ...parts, headers: [...headers, ['session-expires', '90;refresher=uac']] }
      },
    })
    await clock.pass(200_000)
    expect(asked().filter(({ method }) => method === 'INVITE').length).toBeGreaterThanOrEqual(5)
    expect(heard.filter((line) => line.startsWith('ended'))).toEqual([])
  })

  test('that is too short is refused', async () => {
    const { ask } = await talk()
    const [response] = await ask('UPDATE', { headers: [['session-expires', '10']] })
    expect(response && [response.status, headerOf(response, 'min-se')]).toEqual([422, '90'])
  })
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
