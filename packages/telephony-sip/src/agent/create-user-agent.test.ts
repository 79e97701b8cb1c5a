import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CALL,
  listen,
  openScriptedTrunk,
  SECOND_TRUNK,
  TRUNK,
  withAudio,
  type Script,
} from '../../test/support/scripted-trunk.ts'
import { seededRandom } from '../../test/seeded-random.ts'
import { headerOf, type SipMessage, type SipRequest } from '../message/message.ts'
import type { Peer } from '../transport/flow.ts'
import { down, type TrunkHealth, UP } from './trunk-health.ts'
import type { LineCallRequest, Trunk } from './user-agent.ts'

const CREDENTIALS = { username: 'vaani', password: 'secret' }
const challenge = (parameters: string) => ({
  headers: [['proxy-authenticate', `Digest ${parameters}`]] as const,
})

const hasAnswer = (request: SipRequest) => headerOf(request, 'proxy-authorization') !== undefined

describe('credentials', () => {
  const place = async (script: Script, trunk = {}) => {
    const opened = openScriptedTrunk(script, { trunk: { ...CREDENTIALS, ...trunk } })
    const { heard, listener } = listen()
    const call = opened.agent.call(CALL, listener)
    await opened.clock.pass(1000)
    return { ...opened, heard, call }
  }
  const CHALLENGE = challenge('realm="trunk", nonce="n1", qop="auth", algorithm=SHA-256')

  test('answer the challenge of the trunk once', async () => {
    const { heard, asked } = await place(({ request }, respond) => {
      if (request.method !== 'INVITE' || hasAnswer(request)) respond(200, withAudio())
      else respond(407, CHALLENGE)
    })
    expect(heard).toEqual(['media sendrecv', 'answered'])
    expect(asked().map(({ method }) => method)).toEqual(['INVITE', 'ACK', 'INVITE', 'ACK'])
    expect(JSON.stringify(asked())).not.toContain('secret')
  })

  test('that are wrong end the call at once', async () => {
    const { heard, asked } = await place((_transaction, respond) => respond(407, CHALLENGE))
    expect(heard).toEqual(['ended carrier_error carrier 407'])
    expect(asked().filter(({ method }) => method === 'INVITE')).toHaveLength(2)
  })

  test('answer a stale nonce once more', async () => {
    let nonces = 0
    const { heard, asked } = await place((_transaction, respond) =>
      respond(407, challenge(`realm="trunk", nonce="n${(nonces += 1)}", stale=true`)),
    )
    expect(heard).toEqual(['ended carrier_error carrier 407'])
    expect(asked().filter(({ method }) => method === 'INVITE')).toHaveLength(3)
  })

  test('are not shown to another realm', async () => {
    const { heard, asked } = await place((_transaction, respond) => respond(407, CHALLENGE), {
      realm: 'ours',
    })
    expect(heard).toEqual(['ended carrier_error carrier 407'])
    expect(asked().some(hasAnswer)).toBe(false)
  })

  test('are not shown to a peer of a dialog elsewhere', async () => {
    const { call, clock, asked } = await place(({ request }, respond) => {
      if (request.method === 'BYE') return respond(407, CHALLENGE)
      const { headers, ...parts } = withAudio()
      const elsewhere = (headers ?? []).map(([name, value]) =>
        name === 'contact' ? (['contact', '<sip:callee@192.0.2.3:5060>'] as const) : ([name, value] as const),
      )
      respond(200, { ...parts, headers: elsewhere })
    })
    call.hangUp()
    await clock.pass(1000)
    expect(asked().filter(({ method }) => method === 'BYE')).toHaveLength(1)
    expect(asked().some(hasAnswer)).toBe(false)
  })
})

describe('a call whose process died', () => {
  /** Answers a call, and returns what was told with it. */
  async function leave() {
    const { agent, clock, asked } = openScriptedTrunk((_transaction, respond) => respond(200, withAudio()))
    let farewell = ''
    const { listener } = listen()
    agent.call(CALL, { ...listener, onAnswered: (told) => void (farewell = told) })
    await clock.pass(1000)
    const [invite] = asked()
    if (invite === undefined) throw new Error('Nothing was placed')
    return { farewell, invite }
  }

  test('is hung up by another, whose BYE is of its dialog, and answers a challenge', async () => {
    const { farewell, invite } = await leave()
    const { agent, clock, asked } = openScriptedTrunk(
      ({ request }, respond) =>
        hasAnswer(request) ? respond(200) : respond(407, challenge('realm="trunk", nonce="n1"')),
      { trunk: CREDENTIALS },
    )
    let isOver = false
    void agent.hangUpLeft(farewell).then(() => (isOver = true))
    await clock.pass(1000)
    expect(isOver).toBe(true)
    const byes = asked()
    expect(byes.map(({ method, uri }) => `${method} ${uri}`)).toEqual([
      'BYE sip:callee@192.0.2.2:5060',
      'BYE sip:callee@192.0.2.2:5060',
    ])
    for (const name of ['call-id', 'from'])
      expect(byes.map((bye) => headerOf(bye, name))).toEqual([1, 2].map(() => headerOf(invite, name)))
    expect(headerOf(byes[0] ?? invite, 'to')).toMatch(/;tag=/)
    expect(byes.map((bye) => Number.parseInt(headerOf(bye, 'cseq') ?? '', 10))).toEqual([
      1_000_001, 1_000_002,
    ])
    expect(farewell).not.toContain('secret')
  })

  test('is left alone if nothing is known of it, or nobody answers', async () => {
    const { farewell } = await leave()
    const { agent, clock } = openScriptedTrunk(() => undefined)
    await expect(agent.hangUpLeft('{}')).rejects.toThrow(SyntaxError)
    const over = agent.hangUpLeft(farewell)
    await clock.pass(40_000)
    await over
  })
})

test('a caller without a number is anonymous', async () => {
  const { clock, agent, asked } = openScriptedTrunk((_transaction, respond) => respond(486))
  const { fromCallerId: _none, ...call } = CALL
  agent.call(call, listen().listener)
  await clock.pass(100)
  const [invite] = asked()
  expect(invite && headerOf(invite, 'privacy')).toBe('id')
  expect(invite && headerOf(invite, 'from')).toMatch(/^"Anonymous" <sip:anonymous@anonymous\.invalid>;tag=/)
})

describe('the caller id', () => {
  const identitiesOf = async (trunk: Partial<Trunk>, call: LineCallRequest = CALL) => {
    const { clock, agent, asked } = openScriptedTrunk((_transaction, respond) => respond(486), { trunk })
    agent.call(call, listen().listener)
    await clock.pass(100)
    return asked()[0]?.headers.filter(([name]) => name.startsWith('p-'))
  }

  test.each(['asserted', 'preferred'] as const)(
    'is %s too, where the trunk wants that',
    async (callerIdHeader) => {
      expect(await identitiesOf({ callerIdHeader, domain: 'our.example' })).toEqual([
        [`p-${callerIdHeader}-identity`, '<sip:+9779800000000@our.example>'],
      ])
    },
  )

  test('stands in From alone by default', async () => {
    expect(await identitiesOf({})).toEqual([])
  })

  test('is not made up for a caller without a number', async () => {
    const { fromCallerId: _none, ...call } = CALL
    expect(await identitiesOf({ callerIdHeader: 'asserted' }, call)).toEqual([])
  })
})

describe('a trunk with several peers', () => {
  const peers = [TRUNK, SECOND_TRUNK]
  /** Loses what is sent to the first peer. */
  const isLost = (_message: SipMessage, to: Peer) => to.address === TRUNK.address

  test('is registered with at the next when the first does not respond', async () => {
    const { clock, asked } = openScriptedTrunk((_transaction, respond) => respond(200), {
      peers,
      trunk: { register: true },
      loses: isLost,
    })
    await clock.pass(33_000)
    expect(asked()).toHaveLength(2)
    // Refreshed, not tried again after a failure.
    await clock.pass(400_000)
    expect(asked()).toHaveLength(2)
  })

  test('is registered with at the next when the first answers 503, and only then', async () => {
    const statuses = [503, 200]
    const { clock, asked } = openScriptedTrunk((_transaction, respond) => respond(statuses.shift() ?? 403), {
      peers,
      trunk: { register: true },
    })
    await clock.pass(1000)
    expect(asked()).toHaveLength(2)
    await clock.pass(480_000)
    expect(asked()).toHaveLength(3)
  })

  test('is up if any of them is', async () => {
    const { clock, agent } = openScriptedTrunk((_transaction, respond) => respond(200), {
      peers,
      trunk: { keepAlive: true },
      loses: isLost,
    })
    const seen: TrunkHealth[] = []
    agent.onHealth((health) => seen.push(health))
    await clock.pass(200_000)
    expect(seen).toEqual([UP])
  })

  test('is down if none of them is', async () => {
    const { clock, agent } = openScriptedTrunk((_transaction, respond) => respond(503), {
      peers,
      trunk: { keepAlive: true },
    })
    const seen: TrunkHealth[] = []
    agent.onHealth((health) => seen.push(health))
    await clock.pass(1000)
    expect(seen).toEqual([down('refused', 503)])
  })
})

describe('registration', () => {
  test('answers its challenge, is refreshed, and is removed at the end', async () => {
    const { clock, agent, asked } = openScriptedTrunk(
      ({ request }, respond) => {
        if (!hasAnswer(request)) return respond(407, challenge('realm="trunk", nonce="n"'))
        respond(200, {
          headers: [
            ['contact', '<sip:vaani@192.0.2.7:5060;transport=udp>;expires=5'],
            ['contact', '<sip:vaani@192.0.2.1:5060;transport=udp>;expires=100'],
          ],
        })
      },
      { trunk: { ...CREDENTIALS, register: true } },
    )
    await clock.pass(1000)
    const expiries = () =>
      asked()
        .filter(hasAnswer)
        .map((register) => headerOf(register, 'expires'))
    expect(expiries()).toEqual(['600'])
    await clock.pass(80_000)
    expect(expiries()).toEqual(['600', '600'])
    const closed = agent.close()
    await clock.pass(1000)
    await closed
    expect(expiries()).toEqual(['600', '600', '0'])
    expect(asked().every(({ method, uri }) => method === 'REGISTER' && uri === 'sip:trunk.example')).toBe(
      true,
    )
  })

  test('takes the lifetime that the trunk wants, and tries again after failures, ever more slowly', async () => {
    let requests = 0
    const { clock, asked } = openScriptedTrunk(
      (_transaction, respond) =>
        (requests += 1) === 1 ? respond(423, { headers: [['min-expires', '3600']] }) : respond(500),
      { trunk: { register: true } },
    )
    await clock.pass(600_000)
    expect(
      asked()
        .map((register) => headerOf(register, 'expires'))
        .slice(0, 2),
    ).toEqual(['600', '3600'])
    expect(requests).toBeGreaterThan(4)
    expect(requests).toBeLessThan(14)
  })
})

test('a trunk that refuses our registration is down until it takes it', async () => {
  const statuses = [423, 403, 200]
  const { clock, agent } = openScriptedTrunk(
    (_transaction, respond) => respond(statuses.shift() ?? 200, { headers: [['min-expires', '3600']] }),
    { trunk: { register: true } },
  )
  const seen: TrunkHealth[] = []
  agent.onHealth((health) => seen.push(health))
  await clock.pass(60_000)
  expect(seen).toEqual([down('unregistered', 403), UP])
})

test('a registrar that wants ever longer lifetimes is asked ever more slowly', async () => {
  let requests = 0
  const { clock } = openScriptedTrunk(
    (_transaction, respond) =>
      respond(423, { headers: [['min-expires', String(600 + 100 * (requests += 1))]] }),
    { trunk: { register: true } },
  )
  await clock.pass(60_000)
  expect(requests).toBeLessThan(10)
})

test('knows from OPTIONS whether the trunk is up', async () => {
  const statuses = [404, 503, undefined, 200, undefined, undefined]
  const { clock, agent } = openScriptedTrunk(
    (_transaction, respond) => {
      const status = statuses.shift()
      if (status !== undefined) respond(status)
    },
    { trunk: { keepAlive: true } },
  )
  const seen: TrunkHealth[] = []
  agent.onHealth((health) => seen.push(health))
  // A request is given up after 32 seconds, and the next one follows at once.
  await clock.pass(140_000)
  expect(seen).toEqual([UP, down('refused', 503), down('timeout'), UP, down('timeout')])
  const closed = agent.close()
  await clock.pass(100)
  await closed
  // The trunk's own transactions last for 32 seconds.
  await clock.pass(40_000)
  expect(clock.pending()).toBe(0)
})

test('hangs up its calls when it closes', async () => {
  const { clock, agent, asked } = openScriptedTrunk(({ request }, respond) =>
    request.method === 'INVITE' ? respond(200, withAudio()) : respond(200),
  )
  const { heard, listener } = listen()
  agent.call(CALL, listener)
  await clock.pass(100)
  const closed = agent.close()
  await clock.pass(100)
  await closed
  expect(heard.at(-1)).toBe('ended completed agent')
  expect(asked().at(-1)?.method).toBe('BYE')
})

test('whatever is lost, each call ends once, no timer stays, and each answer is hung up', async () => {
  const status = fc.constantFrom(180, 183, 200, 302, 407, 422, 486, 491, 503, 600)
  const plan = fc.record({
    statuses: fc.array(status, { maxLength: 4 }),
    loss: fc.constantFrom(0, 0.3, 0.6),
    seed: fc.nat(),
    hangUpMs: fc.option(fc.integer({ min: 0, max: 40_000 })),
  })
  await fc.assert(
    fc.asyncProperty(plan, async ({ statuses, loss, seed, hangUpMs }) => {
      let answered = false
      const { clock, agent, asked } = openScriptedTrunk(
        ({ request }, respond) => {
          if (request.method !== 'INVITE') return respond(200)
          for (const code of statuses) {
            answered ||= code === 200
            respond(code, code === 200 ? withAudio() : {})
          }
        },
        { loss, maxDelayMs: 300, duplication: 0.1, random: seededRandom(seed), trunk: CREDENTIALS },
      )
      const { heard, listener } = listen()
      const call = agent.call({ ...CALL, maxDurationMs: 60_000 }, listener)
      if (hangUpMs !== null) clock.after(hangUpMs, () => call.hangUp())
      await clock.pass(400_000)
      expect(heard.filter((line) => line.startsWith('ended'))).toHaveLength(1)
      expect(heard.at(-1)).toMatch(/^ended/)
      expect(clock.pending()).toBe(0)
      const hasConfirmed =
        answered && asked().some(({ method }) => method === 'ACK') && heard.includes('answered')
      if (hasConfirmed) expect(asked().some(({ method }) => method === 'BYE')).toBe(true)
    }),
    { numRuns: 60 },
  )
})
