import { describe, expect, test } from 'vitest'
import {
  CALL,
  collect,
  listen,
  openScriptedTrunk,
  SECOND_TRUNK,
  TRUNK,
  theirRequest,
  US,
  withAudio,
  type Script,
} from '../../test/support/scripted-trunk.ts'
import { buildResponse } from '../message/build.ts'
import { headerOf, type SipRequest, type SipResponse } from '../message/message.ts'
import { tagOf } from '../message/name-addr.ts'
import type { ServerTransaction } from '../transaction/transactions.ts'

const MINUTE_MS = 60_000

/** Answers at once; says 200 to everything else. */
const answers: Script = ({ request }, respond) =>
  request.method === 'INVITE' ? respond(200, withAudio()) : respond(200)

/** Rings, and leaves the INVITE to the test. */
function rings() {
  let invite: ServerTransaction | undefined
  const script: Script = (transaction, respond) => {
    if (transaction.request.method !== 'INVITE') return respond(200)
    invite = transaction
    respond(180)
  }
  const get = () => {
    if (!invite) throw new Error('No INVITE has come')
    return invite
  }
  return { script, get }
}

const methods = (requests: readonly SipRequest[]) => requests.map(({ method }) => method)

test('rings once, is answered, and hangs up', async () => {
  const { clock, agent, asked, acks } = openScriptedTrunk(({ request }, respond) => {
    if (request.method !== 'INVITE') return respond(200)
    respond(180)
    respond(180)
    respond(200, withAudio())
  })
  const { heard, listener } = listen()
  const call = agent.call(CALL, listener)
  await clock.pass(1000)
  expect(heard).toEqual(['ringing', 'media sendrecv', 'answered'])
  call.hangUp()
  await clock.pass(MINUTE_MS)
  expect(heard.at(-1)).toBe('ended completed agent')
  expect(acks).toHaveLength(1)
  expect(methods(asked())).toEqual(['INVITE', 'ACK', 'BYE'])
  expect(clock.pending()).toBe(0)
})

test('plays early media before the answer, and acknowledges reliable responses once', async () => {
  const { clock, agent, asked } = openScriptedTrunk(({ request }, respond) => {
    if (request.method !== 'INVITE') return respond(200)
    const { headers = [], body } = withAudio()
    const reliable = [['require', '100rel'] as const, ['rseq', '7'] as const]
    respond(183, { headers: [...headers, ...reliable], ...(body && { body }) })
  })
  const { heard, listener } = listen()
  agent.call(CALL, listener)
  await clock.pass(20_000)
  expect(heard).toEqual(['ringing', 'media sendrecv'])
  const pracks = asked().filter(({ method }) => method === 'PRACK')
  expect(pracks.map((prack) => headerOf(prack, 'rack'))).toEqual(['7 1 INVITE'])
})

test('takes the answer of a reliable 183, after which the 200 has none', async () => {
  const { clock, agent } = openScriptedTrunk(({ request }, respond) => {
    if (request.method !== 'INVITE') return respond(200)
    const { headers = [], body = new Uint8Array() } = withAudio()
    respond(183, { headers: [...headers, ['require', '100rel'], ['rseq', '1']], body })
    respond(200, { headers: [['contact', '<sip:callee@192.0.2.2:5060>']] })
  })
  const { heard, listener } = listen()
  agent.call(CALL, listener)
  await clock.pass(1000)
  expect(heard).toEqual(['ringing', 'media sendrecv', 'answered'])
})

describe('a call that is given up', () => {
  test('is canceled after the first ring', async () => {
    const { clock, agent, asked } = openScriptedTrunk(rings().script)
    const { heard, listener } = listen()
    const call = agent.call(CALL, listener)
    await clock.pass(100)
    call.hangUp()
    await clock.pass(MINUTE_MS)
    expect(heard).toEqual(['ringing', 'ended canceled agent 487'])
    expect(methods(asked())).toEqual(['INVITE', 'CANCEL', 'ACK'])
    expect(clock.pending()).toBe(0)
  })

  test('sends no CANCEL before the trunk has responded, and ends all the same', async () => {
    const { clock, agent, asked } = openScriptedTrunk(answers, { loses: () => true })
    const { heard, listener } = listen()
    const call = agent.call(CALL, listener)
    await clock.pass(100)
    call.hangUp()
    await clock.pass(2000)
    expect(heard).toEqual(['ended canceled agent'])
    await clock.pass(MINUTE_MS)
    expect(methods(asked())).toEqual(['INVITE'])
    expect(clock.pending()).toBe(0)
  })

  test('hangs up an answer that crosses the CANCEL', async () => {
    const { script, get } = rings()
    const { clock, agent, asked, acks } = openScriptedTrunk(script)
    const { heard, listener } = listen()
    const call = agent.call(CALL, listener)
    await clock.pass(100)
    get().respond(buildResponse(get().request, { status: 200, toTag: 'theirs', ...withAudio() }))
    call.hangUp()
    await clock.pass(MINUTE_MS)
    expect(heard).toEqual(['ringing', 'ended canceled agent 200'])
    expect(acks.length).toBeGreaterThan(0)
    expect(methods(asked())).toContain('BYE')
  })

  test('is no answer at its ring limit', async () => {
    const { clock, agent } = openScriptedTrunk(rings().script)
    const { heard, listener } = listen()
    agent.call(CALL, listener)
    await clock.pass(44_999)
    expect(heard).toEqual(['ringing'])
    await clock.pass(MINUTE_MS)
    expect(heard.at(-1)).toBe('ended no_answer agent 487')
  })
})

test('ends at its longest duration', async () => {
  const { clock, agent, asked } = openScriptedTrunk(answers)
  const { heard, listener } = listen()
  agent.call({ ...CALL, maxDurationMs: 5000 }, listener)
  await clock.pass(6000)
  expect(heard.at(-1)).toBe('ended duration_limit duration_limit')
  expect(methods(asked()).at(-1)).toBe('BYE')
})

test('keeps the first of two forks that answer, and hangs up the other', async () => {
  const { script, get } = rings()
  const { clock, agent, asked, send } = openScriptedTrunk(script)
  const { heard, listener } = listen()
  agent.call(CALL, listener)
  await clock.pass(100)
  for (const toTag of ['one', 'two'])
    await send(buildResponse(get().request, { status: 200, toTag, ...withAudio() }))
  await clock.pass(1000)
  expect(heard).toEqual(['ringing', 'media sendrecv', 'answered'])
  const ends = asked().map((request) => `${request.method} ${tagOf(headerOf(request, 'to') ?? '')}`)
  expect(ends.slice(1)).toEqual(['ACK one', 'ACK two', 'BYE two'])
})

test('repeats the ACK of a repeated 200', async () => {
  const { clock, agent, sent } = openScriptedTrunk(answers, {
    loses: (message) => message.kind === 'request' && message.method === 'ACK',
  })
  agent.call(CALL, listen().listener)
  await clock.pass(10_000)
  const acks = sent.filter((message) => message.kind === 'request' && message.method === 'ACK')
  expect(acks.length).toBeGreaterThan(2)
  // The same ACK, which the far end can tell from another (13.2.2.4).
  expect(new Set(acks.map((ack) => headerOf(ack, 'via'))).size).toBe(1)
})

test('hangs up an answer without a codec that we know', async () => {
  const { clock, agent, asked } = openScriptedTrunk(({ request }, respond) =>
    request.method === 'INVITE'
      ? respond(200, withAudio({ codecs: [{ name: 'G722', payloadType: 9 }] }))
      : respond(200),
  )
  const { heard, listener } = listen()
  agent.call(CALL, listener)
  await clock.pass(MINUTE_MS)
  expect(heard).toEqual(['ended carrier_error carrier'])
  expect(methods(asked())).toEqual(['INVITE', 'ACK', 'BYE'])
})

describe('a trunk with several peers', () => {
  const peers = [TRUNK, SECOND_TRUNK]

  test.each([
    ['does not respond', true, undefined],
    ['refuses with 503', false, 503],
  ])('is tried at the next when the first %s', async (_does, isLost, status) => {
    let invites = 0
    const { clock, agent } = openScriptedTrunk(
      ({ request }, respond) => {
        if (request.method !== 'INVITE') return respond(200)
        invites += 1
        return invites === 1 && status !== undefined ? respond(status) : respond(200, withAudio())
      },
      {
        peers,
        loses: (message) => isLost && message.kind === 'request' && headerOf(message, 'cseq') === '1 INVITE',
      },
    )
    const { heard, listener } = listen()
    agent.call(CALL, listener)
    await clock.pass(40_000)
    expect(heard).toEqual(['media sendrecv', 'answered'])
  })

  test.each([
    [17, 'ended busy callee 503 17'],
    [19, 'ended no_answer callee 503 19'],
    [21, 'ended rejected callee 503 21'],
    [1, 'ended unreachable carrier 503 1'],
  ])('is not tried again when its 503 is about the callee, by cause %i', async (cause, end) => {
    const { clock, agent, asked } = openScriptedTrunk(
      (_transaction, respond) => respond(503, { headers: [['reason', `Q.850;cause=${cause}`]] }),
      { peers },
    )
    const { heard, listener } = listen()
    agent.call(CALL, listener)
    await clock.pass(1000)
    expect(heard).toEqual([end])
    expect(methods(asked())).toEqual(['INVITE', 'ACK'])
  })

  test('is tried at the next when its 503 is about the network', async () => {
    const { clock, agent, asked } = openScriptedTrunk(
      (_transaction, respond) => respond(503, { headers: [['reason', 'Q.850;cause=34']] }),
      { peers },
    )
    agent.call(CALL, listen().listener)
    await clock.pass(1000)
    expect(methods(asked())).toEqual(['INVITE', 'ACK', 'INVITE', 'ACK'])
  })

  test('is not tried again after a ring, so that nobody is rung twice', async () => {
    const { clock, agent, asked } = openScriptedTrunk(
      ({ request }, respond) => {
        if (request.method !== 'INVITE') return
        respond(180)
        respond(503, { headers: [['retry-after', '120 (maintenance)']] })
      },
      { peers },
    )
    const { heard, listener } = listen()
    agent.call(CALL, listener)
    await clock.pass(MINUTE_MS)
    expect(heard).toEqual(['ringing', 'ended carrier_error carrier 503 120'])
    expect(methods(asked())).toEqual(['INVITE', 'ACK'])
  })
})

test('a trunk that never responds is unreachable, not unanswered', async () => {
  const { clock, agent } = openScriptedTrunk(answers, { loses: () => true })
  const { heard, listener } = listen()
  agent.call(CALL, listener)
  await clock.pass(32_000)
  expect(heard).toEqual(['ended unreachable carrier'])
})

test('a trunk that has not responded at the ring limit is unreachable too', async () => {
  const { clock, agent } = openScriptedTrunk(answers, { loses: () => true })
  const { heard, listener } = listen()
  agent.call({ ...CALL, ringTimeoutMs: 20_000 }, listener)
  await clock.pass(MINUTE_MS)
  expect(heard).toEqual(['ended unreachable carrier'])
})

test('takes a longer session interval only once', async () => {
  let minSe = 1800
  const { clock, agent, asked } = openScriptedTrunk(({ request }, respond) => {
    if (request.method === 'INVITE') respond(422, { headers: [['min-se', String((minSe += 100))]] })
  })
  agent.call(CALL, listen().listener)
  await clock.pass(1000)
  expect(asked().filter(({ method }) => method === 'INVITE')).toHaveLength(2)
})

test('refreshes the session with the interval that the trunk wants', async () => {
  const { clock, agent, asked } = openScriptedTrunk(({ request }, respond) => {
    if (request.method !== 'INVITE') return respond(200)
    if (headerOf(request, 'session-expires') === '1800')
      return respond(422, { headers: [['min-se', '3600']] })
    const { headers = [], ...parts } = withAudio()
    respond(200, { ...parts, headers: [...headers, ['session-expires', '3600;refresher=uac']] })
  })
  agent.call({ ...CALL, maxDurationMs: 7_200_000 }, listen().listener)
  await clock.pass(2_000_000)
  const wishes = asked()
    .filter(({ method }) => method === 'INVITE')
    .map((invite) => [headerOf(invite, 'session-expires'), headerOf(invite, 'min-se')])
  expect(wishes).toEqual([
    ['1800', '90'],
    ['3600', '3600'],
    ['3600;refresher=uac', '3600'],
  ])
})

test('a trunk whose name cannot be resolved is unreachable', async () => {
  const { clock, agent } = openScriptedTrunk(answers, { peers: [] })
  const { heard, listener } = listen()
  agent.call(CALL, listener)
  await clock.pass(0)
  expect(heard).toEqual(['ended unreachable carrier'])
})

test('asks for the session interval that the trunk wants, once', async () => {
  const { clock, agent, asked } = openScriptedTrunk(({ request }, respond) => {
    if (request.method === 'INVITE') respond(422, { headers: [['min-se', '3600']] })
  })
  const { heard, listener } = listen()
  agent.call(CALL, listener)
  await clock.pass(1000)
  const invites = asked().filter(({ method }) => method === 'INVITE')
  expect(invites.map((invite) => headerOf(invite, 'session-expires'))).toEqual(['1800', '3600'])
  expect(heard).toEqual(['ended carrier_error carrier 422'])
})

test('keeps nothing of a flood of strangers, and still hears its call', async () => {
  const { clock, agent, send, asked } = openScriptedTrunk(answers)
  const { heard, listener } = listen()
  agent.call(CALL, listener)
  await clock.pass(100)
  const pending = clock.pending()
  const [invite] = asked()
  if (!invite) throw new Error('No INVITE was sent')
  for (let call = 0; call < 1000; call += 1)
    await send({
      ...invite,
      headers: invite.headers.map(([name, value]) => [
        name,
        name === 'call-id' || name === 'via' ? `${value}${call}` : value,
      ]),
    })
  await clock.pass(0)
  expect(clock.pending()).toBe(pending)
  await send(
    theirRequest(invite, 'BYE', 1, { headers: [['via', `SIP/2.0/UDP 192.0.2.2;branch=z9hG4bKbye`]] }),
  )
  await clock.pass(0)
  expect(heard.at(-1)).toBe('ended completed callee')
})

test('tells strangers nothing, and takes no call from them', async () => {
  const { clock, agent, trunk } = openScriptedTrunk(answers)
  agent.call(CALL, listen().listener)
  const finals: SipResponse[] = []
  const stranger = theirRequest(
    buildInvite('<sip:us@192.0.2.1>', '<sip:them@192.0.2.8>;tag=x', 'unknown'),
    'INVITE',
    1,
  )
  const withoutTag = stranger.headers.map(([name, value]) =>
    name === 'to' ? (['to', '<sip:us@192.0.2.1>'] as const) : ([name, value] as const),
  )
  trunk.request({ ...stranger, headers: withoutTag }, US, collect(finals))
  trunk.request({ ...stranger, method: 'BYE', headers: renamed(stranger, 'BYE') }, US, collect(finals))
  await clock.pass(1000)
  expect(finals.map(({ status }) => status)).toEqual([403, 481])
  for (const final of finals) {
    expect(headerOf(final, 'server')).toBeUndefined()
    expect(headerOf(final, 'contact')).toBeUndefined()
  }
})

const buildInvite = (from: string, to: string, callId: string): SipRequest => ({
  kind: 'request',
  method: 'INVITE',
  uri: 'sip:us@192.0.2.1',
  headers: [
    ['from', from],
    ['to', to],
    ['call-id', callId],
    ['contact', '<sip:us@192.0.2.1>'],
  ],
  body: new Uint8Array(),
})

const renamed = (request: SipRequest, method: string) =>
  request.headers.map(([name, value]) =>
    name === 'cseq' ? (['cseq', `9 ${method}`] as const) : ([name, value] as const),
  )
