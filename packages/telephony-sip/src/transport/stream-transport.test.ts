import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, openAgent, optionsRequest, peerOf } from '../../test/agents.ts'
import { createManualClock } from '../../test/manual-clock.ts'
import { serializeMessage } from '../message/serialize-message.ts'
import { openTransport } from './open-transport.ts'

const LOCAL = { address: '127.0.0.1' }
const LISTENING = { ...LOCAL, tcp: { port: 0 } }

/** A request as a peer writes it, which adds its Via itself. */
const WIRE = serializeMessage({
  ...optionsRequest,
  headers: [['via', 'SIP/2.0/TCP 127.0.0.1:5060;branch=z9hG4bKa'], ...optionsRequest.headers],
})

/** Listens without speaking SIP. */
async function listenRaw(accept: (socket: Socket) => void = () => {}) {
  const server = createServer(accept).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 }
}

async function connectRaw(port: number) {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  await once(socket, 'connect')
  return socket
}

describe('TCP', () => {
  test('carries transactions both ways over one connection', async () => {
    await using ours = await openAgent(LOCAL)
    await using theirs = await openAgent(LISTENING)
    const peer = peerOf(theirs.transport, 'tcp')
    const seen: number[] = []
    theirs.transactions.onRequest(({ from, respond, request }) => {
      seen.push(from.port)
      respond(theirs.answer(request))
      if (seen.length === 1) void ask(theirs.transactions, from).then((status) => seen.push(Number(status)))
    })
    expect(await ask(ours.transactions, peer)).toBe(200)
    expect(await ask(ours.transactions, peer)).toBe(200)
    await expect.poll(() => seen).toHaveLength(3)
    expect(new Set(seen.filter((port) => port !== 200)).size).toBe(1)
  })

  test('connects again after the peer closed the connection', async () => {
    await using ours = await openAgent(LOCAL)
    const first = await openAgent(LISTENING)
    const peer = peerOf(first.transport, 'tcp')
    expect(await ask(ours.transactions, peer)).toBe(200)
    await first[Symbol.asyncDispose]()
    await using second = await openAgent({ ...LOCAL, tcp: { port: peer.port } })
    expect(second.transport.localAddress('tcp').port).toBe(peer.port)
    await expect.poll(() => ask(ours.transactions, peer)).toBe(200)
  })

  test('fails at once if the connection is lost, or cannot be made', async () => {
    await using ours = await openAgent(LOCAL)
    const { server, port } = await listenRaw((socket) => socket.once('data', () => socket.destroy()))
    const peer = { transport: 'tcp', address: '127.0.0.1', port } as const
    expect(await ask(ours.transactions, peer)).toBe('transport')
    server.close()
    await once(server, 'close')
    expect(await ask(ours.transactions, peer)).toBe('transport')
  })

  test('gives up connecting to a peer that does not answer', async () => {
    const clock = createManualClock()
    await using ours = await openAgent(LOCAL, clock)
    // A TLS peer that accepts, and stays silent.
    const { server, port } = await listenRaw()
    const accepted = once(server, 'connection')
    const asked = ask(ours.transactions, { transport: 'tls', address: '127.0.0.1', port })
    const [socket] = await accepted
    clock.advance(5000)
    expect(await asked).toBe('transport')
    socket.destroy()
    server.close()
  })

  test('opens no connection for a response to a peer that has left', async () => {
    await using theirs = await openAgent(LISTENING)
    const { server, port } = await listenRaw()
    const peer = { transport: 'tcp', address: '127.0.0.1', port } as const
    const response = theirs.answer(optionsRequest)
    await expect(theirs.transport.send(response, peer)).rejects.toMatchObject({ code: 'unreachable' })
    server.close()
  })

  test('stops connecting when it is closed', async () => {
    const ours = await openTransport({ clock: createManualClock(), ...LOCAL })
    const { server, port } = await listenRaw()
    const accepted = once(server, 'connection')
    // It accepts, but shakes no hands.
    const sending = ours.send(optionsRequest, { transport: 'tls', address: '127.0.0.1', port })
    const [socket] = await accepted
    await Promise.all([ours.close(), expect(sending).rejects.toMatchObject({ code: 'closed' })])
    socket.destroy()
    server.close()
  })

  test('answers a ping, and messages however they are cut', async () => {
    await using theirs = await openAgent(LISTENING)
    const socket = await connectRaw(theirs.transport.localAddress('tcp').port)
    socket.write('\r\n\r\n')
    expect((await once(socket, 'data'))[0]).toBe('\r\n')
    socket.write(WIRE.subarray(0, 50))
    await new Promise((resolve) => setImmediate(resolve))
    socket.write(WIRE.subarray(50))
    expect(String((await once(socket, 'data'))[0])).toMatch(/^SIP\/2\.0 200 /)
    socket.destroy()
  })

  test('answers what is malformed, and closes what can no more be framed', async () => {
    await using theirs = await openAgent(LISTENING)
    const socket = await connectRaw(theirs.transport.localAddress('tcp').port)
    socket.write(Buffer.from(WIRE).toString('latin1').replace('Content-Length: 0', 'Content-Length: none'))
    const closed = once(socket, 'close')
    expect(String((await once(socket, 'data'))[0])).toMatch(/^SIP\/2\.0 400 /)
    await closed
    expect(theirs.transport.malformedCount()).toBe(1)
  })

  test('closes a connection of which nothing was heard for five minutes', async () => {
    const clock = createManualClock()
    await using theirs = await openAgent(LISTENING, clock)
    const socket = await connectRaw(theirs.transport.localAddress('tcp').port)
    const closed = once(socket, 'close')
    socket.write('\r\n\r\n')
    await once(socket, 'data')
    clock.advance(299_999)
    socket.write('\r\n\r\n')
    await once(socket, 'data')
    clock.advance(299_999)
    expect(socket.destroyed).toBe(false)
    clock.advance(1)
    await closed
  })

  test('keeps its own connections alive', async () => {
    const clock = createManualClock()
    await using ours = await openAgent(LOCAL, clock)
    const { server, port } = await listenRaw()
    const accepted = once(server, 'connection')
    void ours.transport.send(optionsRequest, { transport: 'tcp', address: '127.0.0.1', port })
    const [socket] = await accepted
    socket.setEncoding('latin1')
    expect((await once(socket, 'data'))[0]).toMatch(/^OPTIONS /)
    clock.advance(100_000)
    expect((await once(socket, 'data'))[0]).toBe('\r\n\r\n')
    socket.destroy()
    server.close()
  })

  test('refuses more connections than it can keep', async () => {
    await using theirs = await openAgent(LISTENING)
    const { port } = theirs.transport.localAddress('tcp')
    const sockets = await Promise.all(Array.from({ length: 256 }, () => connectRaw(port)))
    const surplus = await connectRaw(port)
    await once(surplus, 'close')
    for (const socket of sockets) socket.destroy()
  })

  test('refuses to keep more than 1 MiB for a peer that does not read', async () => {
    await using ours = await openAgent(LOCAL)
    const { server, port } = await listenRaw((socket) => socket.pause())
    const peer = { transport: 'tcp', address: '127.0.0.1', port } as const
    const large = { ...optionsRequest, body: new Uint8Array(60_000) }
    const sent = Array.from({ length: 400 }, () => ours.transport.send(large, peer))
    await expect(Promise.all(sent)).rejects.toMatchObject({ code: 'overloaded' })
    void Promise.allSettled(sent)
    server.close()
  })
})

describe('TLS', { tags: ['openssl'] }, () => {
  let key = ''
  let certificate = ''

  beforeAll(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'vaani-sip-'))
    const [keyFile, certificateFile] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')]
    const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=trunk'
    const named = ['-addext', 'subjectAltName=DNS:trunk.example,IP:127.0.0.1']
    await promisify(execFile)('openssl', [
      ...made.split(' '),
      ...named,
      '-keyout',
      keyFile,
      '-out',
      certificateFile,
    ])
    key = await readFile(keyFile, 'utf8')
    certificate = await readFile(certificateFile, 'utf8')
    await rm(folder, { recursive: true })
  })

  const openTrunk = () => openAgent({ ...LOCAL, tls: { port: 0, key, certificate } })

  test('carries a transaction to a peer whose certificate has its name, or its address', async () => {
    await using ours = await openAgent({ ...LOCAL, certificateAuthorities: [certificate] })
    await using theirs = await openTrunk()
    const peer = peerOf(theirs.transport, 'tls')
    expect(await ask(ours.transactions, { ...peer, serverName: 'trunk.example' })).toBe(200)
    expect(await ask(ours.transactions, { ...peer, serverName: '127.0.0.1' })).toBe(200)
  })

  test('sends nothing to a peer with the certificate of another, or of an unknown authority', async () => {
    await using theirs = await openTrunk()
    const peer = peerOf(theirs.transport, 'tls')
    const trusting = await openTransport({
      clock: createManualClock(),
      ...LOCAL,
      certificateAuthorities: [certificate],
    })
    const wary = await openTransport({ clock: createManualClock(), ...LOCAL })
    const untrusted = { code: 'untrusted' }
    const named = { ...peer, serverName: 'trunk.example' }
    await expect(
      trusting.send(optionsRequest, { ...peer, serverName: 'other.example' }),
    ).rejects.toMatchObject(untrusted)
    await expect(wary.send(optionsRequest, named)).rejects.toMatchObject(untrusted)
    await trusting.close()
    await wary.close()
  })
})
