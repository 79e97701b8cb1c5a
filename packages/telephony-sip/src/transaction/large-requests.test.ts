import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ask, openAgent, optionsRequest, peerOf } from '../../test/agents.ts'
import { createManualClock } from '../../test/manual-clock.ts'
import { buildRequest, buildResponse } from '../message/build.ts'
import { headerOf, type SipRequest } from '../message/message.ts'
import { openTransport } from '../transport/open-transport.ts'

const LOCAL = { address: '127.0.0.1', udp: { port: 0 } }
const LARGE: SipRequest = {
  ...optionsRequest,
  headers: [...optionsRequest.headers, ['subject', 'x'.repeat(1300)]],
}

const PARTS = {
  uri: 'sip:trunk.example',
  from: { uri: 'sip:us@trunk.example', parameters: [['tag', 'ours']] },
  to: { uri: 'sip:trunk.example', parameters: [] },
  callId: 'a',
  sequence: 1,
} as const
const IGNORE = { onProvisional() {}, onFinal() {}, onFailure() {} }

/** Returns a port that is free over UDP and TCP. */
async function findPort(): Promise<number> {
  const transport = await openTransport({
    clock: createManualClock(),
    address: LOCAL.address,
    tcp: { port: 0 },
  })
  const { port } = transport.localAddress('tcp')
  await transport.close()
  return port
}

/** Opens a peer that says over which transport each request came. */
async function openPeer(port: number, hasTcp: boolean) {
  const agent = await openAgent({ ...LOCAL, udp: { port }, ...(hasTcp && { tcp: { port } }) })
  const seen: string[] = []
  agent.transactions.onRequest(({ request, from, respond }) => {
    seen.push(`${from.transport} ${headerOf(request, 'via')?.split(' ')[0]}`)
    respond(agent.answer(request))
  })
  return { ...agent, seen }
}

describe('a request that is too large for a datagram', () => {
  test('goes over TCP, and a small one over UDP', async () => {
    await using theirs = await openPeer(await findPort(), true)
    await using ours = await openAgent(LOCAL)
    const peer = peerOf(theirs.transport, 'udp')
    expect(await ask(ours.transactions, peer, LARGE)).toBe(200)
    expect(await ask(ours.transactions, peer)).toBe(200)
    expect(theirs.seen).toEqual(['tcp SIP/2.0/TCP', 'udp SIP/2.0/UDP'])
  })

  test('goes over UDP where TCP is refused, and TCP is not tried again for a while', async () => {
    const clock = createManualClock()
    const port = await findPort()
    await using theirs = await openPeer(port, false)
    await using ours = await openAgent(LOCAL, clock)
    const peer = peerOf(theirs.transport, 'udp')
    expect(await ask(ours.transactions, peer, LARGE)).toBe(200)
    const { server, connections } = await listen(port)
    expect(await ask(ours.transactions, peer, LARGE)).toBe(200)
    expect(theirs.seen).toEqual(['udp SIP/2.0/UDP', 'udp SIP/2.0/UDP'])
    expect(connections()).toBe(0)
    clock.advance(600_000)
    // It accepts, and hangs up once the request has come.
    expect(await ask(ours.transactions, peer, LARGE)).toBe('transport')
    expect(connections()).toBe(1)
    expect(theirs.seen).toHaveLength(2)
    server.close()
  })

  test.each([
    ['tcp', true],
    ['udp', false],
  ] as const)('is canceled where it went: over %s', async (name, hasTcp) => {
    await using theirs = await openPeer(await findPort(), hasTcp)
    await using ours = await openAgent(LOCAL)
    theirs.transactions.onRequest(({ request, respond }) => respond(buildResponse(request, { status: 180 })))
    theirs.transactions.onCancel(({ request, from, respond }) => {
      theirs.seen.push(from.transport)
      respond(buildResponse(request, { status: 487, toTag: 'theirs' }))
    })
    const status = new Promise<number | string>((resolve) => {
      const headers = [['subject', 'x'.repeat(1300)]] as const
      const invite = ours.transactions.request(
        buildRequest({ ...PARTS, method: 'INVITE', headers }),
        peerOf(theirs.transport, 'udp'),
        {
          onProvisional: () => void ours.transactions.cancel(invite, IGNORE),
          onFinal: (response) => resolve(response.status),
          onFailure: resolve,
        },
      )
    })
    expect(await status).toBe(487)
    expect(theirs.seen).toEqual([name])
  })
})

async function listen(port: number) {
  let count = 0
  const server = createServer((socket) => {
    count += 1
    socket.once('data', () => socket.destroy())
  }).listen(port, LOCAL.address)
  await once(server, 'listening')
  return { server, connections: () => count }
}
