import { describe, expect, test, vi } from 'vitest'
import { createLossyNetwork, type NetworkOptions } from '../../test/lossy-transport.ts'
import { createManualClock } from '../../test/manual-clock.ts'
import { buildResponse } from '../message/build.ts'
import { headerOf, headersOf, type SipRequest, type SipResponse } from '../message/message.ts'
import type { Peer } from '../transport/flow.ts'
import { createTransactions } from './create-transactions.ts'
import type { ServerTransaction } from './transactions.ts'

const CALLER: Peer = { transport: 'udp', address: '192.0.2.1', port: 5060 }
const TRUNK: Peer = { transport: 'udp', address: '192.0.2.2', port: 5080 }

const requestOf = (method: string, callId: string, headers: SipRequest['headers'] = []): SipRequest => ({
  kind: 'request',
  method,
  uri: 'sip:+9779800000001@trunk.example',
  headers: [
    ...headers,
    ['max-forwards', '70'],
    ['from', '<sip:us@trunk.example>;tag=ours'],
    ['to', '<sip:+9779800000001@trunk.example>'],
    ['call-id', callId],
    ['cseq', `1 ${method}`],
  ],
  body: new Uint8Array(),
})

function open(options: Omit<NetworkOptions, 'clock'> & { maxServerTransactions?: number } = {}) {
  const clock = createManualClock()
  const network = createLossyNetwork({ ...options, clock })
  const { maxServerTransactions } = options
  const caller = createTransactions({ transport: network.open(CALLER), clock })
  const trunk = createTransactions({
    transport: network.open(TRUNK),
    clock,
    ...(maxServerTransactions !== undefined && { maxServerTransactions }),
  })
  const arrived: ServerTransaction[] = []
  trunk.onRequest((transaction) => arrived.push(transaction))
  const respond = (status: number, index = 0) => {
    const transaction = arrived[index]
    transaction?.respond(buildResponse(transaction.request, { status, toTag: 'theirs' }))
  }
  const sent = (what: string | number) =>
    network.sent.filter((message) => (message.kind === 'request' ? message.method : message.status) === what)
  return { clock, network, caller, trunk, arrived, respond, sent }
}

const listen = () => ({ onProvisional: vi.fn(), onFinal: vi.fn(), onFailure: vi.fn() })

const statusesOf = (mock: { mock: { calls: unknown[][] } }) =>
  mock.mock.calls.map(([response]) => (response as SipResponse).status)

describe('transactions', () => {
  test('carry a request and its response, with received and rport in the Via', () => {
    const { clock, caller, arrived, respond } = open()
    const user = listen()
    caller.request(requestOf('OPTIONS', 'a'), TRUNK, user)
    clock.advance(0)
    expect(headerOf(arrived[0]!.request, 'via')).toMatch(
      /^SIP\/2\.0\/UDP 192\.0\.2\.1:5060;branch=z9hG4bK[0-9a-f]{32};rport=5060;received=192\.0\.2\.1$/,
    )
    respond(200)
    clock.advance(0)
    expect(statusesOf(user.onFinal)).toEqual([200])
  })

  test('send 100 by themselves, and pass a repeated request on once', () => {
    const { clock, caller, arrived } = open()
    const user = listen()
    let lost = 0
    const lossy = open({ loses: (message) => message.kind === 'response' && lost++ === 0 })
    caller.request(requestOf('INVITE', 'a'), TRUNK, user)
    clock.advance(1000)
    expect(statusesOf(user.onProvisional)).toEqual([100])
    expect(arrived).toHaveLength(1)
    lossy.caller.request(requestOf('INVITE', 'a'), TRUNK, user)
    lossy.clock.advance(1000)
    expect(lossy.sent('INVITE')).toHaveLength(2)
    expect(lossy.arrived).toHaveLength(1)
  })

  test('acknowledge a failure along the route of the INVITE', () => {
    const { clock, caller, respond, sent, trunk } = open()
    const user = listen()
    const acknowledged = vi.fn()
    trunk.onAcknowledge(acknowledged)
    const route = ['route', '<sip:edge.example;lr>'] as const
    const { request } = caller.request(requestOf('INVITE', 'a', [route]), TRUNK, user)
    clock.advance(0)
    respond(486)
    clock.advance(60_000)
    const [ack] = sent('ACK')
    expect(headersOf(ack!, 'route')).toEqual(['<sip:edge.example;lr>'])
    expect(headersOf(ack!, 'via')).toEqual(headersOf(request, 'via'))
    expect(headerOf(ack!, 'to')).toContain('tag=theirs')
    expect(headerOf(ack!, 'cseq')).toBe('1 ACK')
    expect(sent(486)).toHaveLength(1)
    expect(acknowledged).not.toHaveBeenCalled()
    expect(clock.pending()).toBe(0)
  })

  test('repeat a 2xx until its ACK, which has a branch of its own', () => {
    const { clock, caller, respond, sent, trunk } = open()
    const acknowledged = vi.fn()
    trunk.onAcknowledge(acknowledged)
    const user = listen()
    caller.request(requestOf('INVITE', 'a'), TRUNK, user)
    clock.advance(0)
    respond(200)
    clock.advance(2000)
    expect(statusesOf(user.onFinal)).toEqual([200, 200, 200])
    caller.acknowledge(requestOf('ACK', 'a'), TRUNK)
    clock.advance(60_000)
    expect(acknowledged).toHaveBeenCalledOnce()
    expect(sent(200)).toHaveLength(3)
  })

  test('report a 2xx that is never acknowledged', () => {
    const { clock, caller, arrived, respond } = open()
    caller.request(requestOf('INVITE', 'a'), TRUNK, listen())
    clock.advance(0)
    const unacknowledged = vi.fn()
    arrived[0]!.onUnacknowledged(unacknowledged)
    respond(200)
    clock.advance(60_000)
    expect(unacknowledged).toHaveBeenCalledOnce()
  })

  test('answer a CANCEL with 200, and pass on the INVITE that it ends', () => {
    const { clock, caller, trunk, arrived, respond, sent } = open()
    const canceled = vi.fn<(invite: ServerTransaction) => void>()
    trunk.onCancel(canceled)
    const [inviter, canceler] = [listen(), listen()]
    const invite = caller.request(requestOf('INVITE', 'a'), TRUNK, inviter)
    clock.advance(0)
    respond(180)
    clock.advance(0)
    caller.cancel(invite, canceler)
    clock.advance(0)
    expect(canceled.mock.calls[0]?.[0].request).toBe(arrived[0]!.request)
    expect(headerOf(sent(200)[0]!, 'to')).toContain('tag=theirs')
    respond(487)
    clock.advance(60_000)
    expect(statusesOf(canceler.onFinal)).toEqual([200])
    expect(statusesOf(inviter.onFinal)).toEqual([487])
    expect(inviter.onFailure).not.toHaveBeenCalled()
  })

  test('answer a CANCEL of nothing with 481', () => {
    const { clock, caller } = open({
      loses: (message) => message.kind === 'request' && message.method === 'INVITE',
    })
    const canceler = listen()
    caller.cancel(caller.request(requestOf('INVITE', 'a'), TRUNK, listen()), canceler)
    clock.advance(0)
    expect(statusesOf(canceler.onFinal)).toEqual([481])
  })

  test('fail an INVITE whose 487 is lost 64 × T1 after its CANCEL', () => {
    const { clock, caller, respond } = open()
    const user = listen()
    const invite = caller.request(requestOf('INVITE', 'a'), TRUNK, user)
    clock.advance(0)
    respond(180)
    clock.advance(5000)
    caller.cancel(invite, listen())
    clock.advance(31_999)
    expect(user.onFailure).not.toHaveBeenCalled()
    clock.advance(1)
    expect(user.onFailure).toHaveBeenCalledExactlyOnceWith('timeout')
  })

  test('fail at once if the peer cannot be reached, those to other peers excepted', () => {
    const { clock, caller, network } = open({ loss: 1 })
    const [lost, other] = [listen(), listen()]
    caller.request(requestOf('OPTIONS', 'a'), TRUNK, lost)
    caller.request(requestOf('OPTIONS', 'b'), { ...TRUNK, port: 5090 }, other)
    network.fail(TRUNK)
    expect(lost.onFailure).toHaveBeenCalledExactlyOnceWith('transport')
    expect(other.onFailure).not.toHaveBeenCalled()
    clock.advance(60_000)
    expect(other.onFailure).toHaveBeenCalledExactlyOnceWith('timeout')
  })

  test('answer a flood with 503, and keep nothing of it', () => {
    const { clock, caller, arrived } = open({ maxServerTransactions: 2 })
    const users = ['a', 'b', 'c'].map((callId) => {
      const user = listen()
      caller.request(requestOf('INVITE', callId), TRUNK, user)
      return user
    })
    clock.advance(100)
    expect(arrived).toHaveLength(2)
    expect(users.map((user) => statusesOf(user.onFinal))).toEqual([[], [], [503]])
  })

  test('tell two old requests without branches apart', () => {
    const clock = createManualClock()
    const network = createLossyNetwork({ clock })
    const peer = network.open(CALLER)
    const trunk = createTransactions({ transport: network.open(TRUNK), clock })
    const arrived = vi.fn()
    trunk.onRequest(arrived)
    const via = ['via', 'SIP/2.0/UDP 192.0.2.1'] as const
    for (const callId of ['a', 'a', 'b']) void peer.send(requestOf('OPTIONS', callId, [via]), TRUNK)
    clock.advance(0)
    expect(arrived).toHaveBeenCalledTimes(2)
  })

  test('leave no timer after they are closed, and tell nobody', () => {
    const { clock, caller, trunk } = open()
    const user = listen()
    caller.request(requestOf('INVITE', 'a'), TRUNK, user)
    clock.advance(0)
    caller.close()
    trunk.close()
    expect(clock.pending()).toBe(0)
    expect(user.onFailure).not.toHaveBeenCalled()
  })
})
