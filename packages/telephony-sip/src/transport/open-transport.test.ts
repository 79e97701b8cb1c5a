import { once } from 'node:events'
import dgram from 'node:dgram'
import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { ask, openAgent, optionsRequest, peerOf } from '../../test/agents.ts'
import { createManualClock } from '../../test/manual-clock.ts'
import { headerOf, type SipMessage } from '../message/message.ts'
import { openTransport } from './open-transport.ts'

const clock = createManualClock()

const hasIPv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
)

const local = { address: '127.0.0.1', udp: { port: 0 } }

describe('UDP', () => {
  test('carries a transaction', async () => {
    await using ours = await openAgent(local)
    await using theirs = await openAgent(local)
    expect(await ask(ours.transactions, peerOf(theirs.transport, 'udp'))).toBe(200)
    expect(await ask(theirs.transactions, peerOf(ours.transport, 'udp'))).toBe(200)
  })

  test.skipIf(!hasIPv6)('carries a transaction over IPv6', async () => {
    const six = { address: '::1', udp: { port: 0 } }
    await using ours = await openAgent(six)
    await using theirs = await openAgent(six)
    const peer = peerOf(theirs.transport, 'udp', '::1')
    expect(await ask(ours.transactions, peer)).toBe(200)
  })

  test.skipIf(process.platform !== 'linux')('fails at once if nothing listens at the peer', async () => {
    await using ours = await openAgent(local)
    const gone = await openTransport({ clock, ...local })
    const peer = peerOf(gone, 'udp')
    await gone.close()
    // No time passes on this clock.
    expect(await ask(ours.transactions, peer)).toBe('transport')
  })

  test('still receives from others beside a peer that it sends to', async () => {
    await using ours = await openAgent(local)
    await using theirs = await openAgent(local)
    await using others = await openAgent(local)
    const peer = peerOf(ours.transport, 'udp')
    expect(await ask(ours.transactions, peerOf(theirs.transport, 'udp'))).toBe(200)
    expect(await ask(others.transactions, peer)).toBe(200)
    expect(await ask(theirs.transactions, peer)).toBe(200)
  })

  test('refuses a port that is taken', async () => {
    await using ours = await openAgent(local)
    const { port } = ours.transport.localAddress('udp')
    await expect(openTransport({ clock, ...local, udp: { port } })).rejects.toMatchObject({ code: 'unbound' })
  })

  test('counts what cannot be parsed, and answers 400 if its headers can be read', async () => {
    await using ours = await openAgent(local)
    const socket = dgram.createSocket('udp4')
    const { port } = ours.transport.localAddress('udp')
    const send = (lines: readonly string[]) => socket.send(lines.join('\r\n'), port, '127.0.0.1')
    const answered = once(socket, 'message')
    send(['', '', ''])
    send(['no SIP at all', '', ''])
    send([
      'OPTIONS sip:us@trunk.example SIP/2.0',
      'Via: SIP/2.0/UDP 192.0.2.9;branch=z9hG4bKa;rport',
      'From: <sip:a@trunk.example>;tag=a',
      'To: <sip:us@trunk.example>',
      'Call-ID: a',
      'CSeq: one OPTIONS',
      '',
      '',
    ])
    const [bytes] = await answered
    socket.close()
    const response = String(bytes)
    expect(response).toMatch(/^SIP\/2\.0 400 /)
    expect(response).toContain('received=127.0.0.1')
    expect(ours.transport.malformedCount()).toBe(2)
  })

  test('refuses to send a line end within a header, an address of the other family, and after it is closed', async () => {
    const transport = await openTransport({ clock, ...local })
    const peer = { transport: 'udp', address: '127.0.0.1', port: 9 } as const
    const injected: SipMessage = { ...optionsRequest, headers: [['subject', 'a\r\nb: c']] }
    await expect(transport.send(injected, peer)).rejects.toMatchObject({ code: 'unsendable' })
    await expect(transport.send(optionsRequest, { ...peer, address: '::1' })).rejects.toMatchObject({
      code: 'unsupported',
    })
    await transport.close()
    await transport.close()
    await expect(transport.send(optionsRequest, peer)).rejects.toMatchObject({ code: 'closed' })
  })

  test('advertises another host than it is bound to', async () => {
    await using ours = await openAgent({ ...local, advertisedHost: 'agent.example' })
    await using theirs = await openAgent(local)
    const via = new Promise((resolve) => {
      theirs.transactions.onRequest(({ request }) => resolve(headerOf(request, 'via')))
    })
    void ask(ours.transactions, peerOf(theirs.transport, 'udp'))
    expect(await via).toMatch(/^SIP\/2\.0\/UDP agent\.example:\d+;/)
  })
})
