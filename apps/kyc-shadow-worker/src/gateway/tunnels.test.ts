import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { openListeningServer } from '@vaani/service-kit/http/connection/listening-server'
import { STOP_NOW } from '@vaani/service-kit/lifecycle/stop-deadline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ExchangeOutcome } from './exchange.ts'
import { openGateway } from './open-gateway.ts'

let stack: AsyncDisposableStack
let primary: Server
let ends: ExchangeOutcome[]

beforeEach(async () => {
  stack = new AsyncDisposableStack()
  ends = []
  primary = createServer((_, response) => void response.writeHead(426, { upgrade: 'websocket' }).end('no'))
  stack.defer(() => {
    primary.closeAllConnections()
    primary.close()
  })
  await new Promise<void>((resolve) => primary.listen(0, '127.0.0.1', resolve))
})
afterEach(() => stack.disposeAsync())

interface Peer {
  readonly socket: Socket
  text(): string
  until(part: string): Promise<void>
  readonly closed: Promise<unknown>
}

function collect(socket: Socket): Peer {
  let received = ''
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => (received += chunk.toString('latin1')))
    // Sockets of a server stay half open otherwise.
    .once('end', () => socket.end())
  stack.defer(() => void socket.destroy())
  return {
    socket,
    text: () => received,
    async until(part) {
      while (!received.includes(part)) {
        if (socket.destroyed) throw new Error(`The connection closed without ${part}: ${received}`)
        await turn()
      }
    },
    closed: new Promise((resolve) => socket.once('close', resolve)),
  }
}

/** Starts a gateway, and returns a function that connects to it. */
async function start({ maxConnections = 4, idleTimeoutMs = 60_000 } = {}): Promise<() => Peer> {
  const { port } = primary.address() as AddressInfo
  const ended = ends
  const gateway = openGateway({
    primary: new URL(`http://127.0.0.1:${port}`),
    // Nobody listens there.
    candidate: new URL('http://127.0.0.1:1'),
    answers: () => 'v2',
    maxConnections,
    idleTimeoutMs,
    watch: () => null,
    onEnd: (outcome) => void ended.push(outcome),
  })
  stack.defer(() => gateway.close())
  const listening = await openListeningServer({ host: '127.0.0.1', port: 0, whileStarting: gateway.handler })
  listening.open(gateway.handler, gateway.socketPaths)
  stack.defer(() => listening.stop(STOP_NOW))
  return () => collect(connect(listening.port, '127.0.0.1'))
}

const upgrade = (path = '/v1/engine/stream?a=b', more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n${more}\r\n`

const ACCEPTED =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: \u00e9\r\n\r\n'

/** Makes the primary accept upgrades, and resolves with the first. */
function accept(greeting = ''): Promise<Peer & { request: IncomingMessage; head: Buffer }> {
  return new Promise((resolve) => {
    primary.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.write(Buffer.from(ACCEPTED + greeting, 'latin1'))
      resolve({ ...collect(socket), request, head })
    })
  })
}

test('a WebSocket is tunnelled to the primary, and bytes flow both ways', async () => {
  const accepted = accept('hello')
  const caller = (await start())()
  caller.socket.write(`${upgrade()}early`)
  const deployment = await accepted
  await caller.until('hello')
  expect(caller.text()).toBe(`${ACCEPTED}hello`)
  await deployment.until('early')
  deployment.socket.write('\xff\x00', 'latin1')
  await caller.until('\xff\x00')
  caller.socket.write('more')
  await deployment.until('more')
  expect(deployment.request.url).toBe('/v1/engine/stream?a=b')
  expect(deployment.request.headers).toMatchObject({
    upgrade: 'websocket',
    'sec-websocket-key': 'k',
    'x-forwarded-for': '127.0.0.1',
  })
})

test.each(['caller', 'deployment'] as const)('when the %s ends, the other side is closed', async (who) => {
  const accepted = accept('hello')
  const caller = (await start())()
  caller.socket.write(upgrade())
  const deployment = await accepted
  await caller.until('hello')
  const [first, second] = who === 'caller' ? [caller, deployment] : [deployment, caller]
  first.socket.end('bye')
  await second.closed
  expect(second.text()).toMatch(/bye$/)
  await first.closed
  while (ends.length === 0) await turn()
  expect(ends).toEqual(['answered'])
})

test('a connection that is reset closes the other', async () => {
  const accepted = accept('hello')
  const caller = (await start())()
  caller.socket.write(upgrade())
  const deployment = await accepted
  await caller.until('hello')
  caller.socket.resetAndDestroy()
  await deployment.closed
})

test('a silent tunnel is closed', async () => {
  const accepted = accept('hello')
  const caller = (await start({ idleTimeoutMs: 50 }))()
  caller.socket.write(upgrade())
  await Promise.all([caller.closed, (await accepted).closed])
})

test('an upgrade that the primary refuses gets its answer', async () => {
  const caller = (await start())()
  caller.socket.write(upgrade())
  await caller.closed
  expect(caller.text()).toMatch(/^HTTP\/1\.1 426 [^]*\r\nno\r\n/)
  expect(ends).toEqual(['answered'])
})

test('an upgrade that the primary does not answer is a 503', async () => {
  primary.on('upgrade', (_, socket) => void socket.destroy())
  const caller = (await start())()
  caller.socket.write(upgrade())
  await caller.closed
  expect(caller.text()).toMatch(/^HTTP\/1\.1 503 [^]*"service_unavailable"/)
  expect(ends).toEqual(['primary_failed'])
})

test('more WebSockets than connections are refused until one closes', async () => {
  const accepted = accept('hello')
  const open = await start({ maxConnections: 1 })
  const first = open()
  first.socket.write(upgrade())
  await accepted
  await first.until('hello')
  const refused = open()
  refused.socket.write(upgrade())
  await refused.closed
  expect(refused.text()).toMatch(/^HTTP\/1\.1 503 [^]*Too many WebSockets/)
  expect(ends).toEqual(['refused'])
  first.socket.end()
  while (ends.length < 2) await turn()
  const next = open()
  next.socket.write(upgrade())
  await next.until('hello')
})

test('an upgrade with a body is refused', async () => {
  const caller = (await start())()
  caller.socket.write(`${upgrade('/a', 'Content-Length: 1\r\n')}a`)
  await caller.closed
  expect(caller.text()).toMatch(/^HTTP\/1\.1 400 /)
  expect(ends).toContain('refused')
})

test('an upgrade of what has no WebSocket is served as if it were not offered', async () => {
  const upgrades = accept()
  void upgrades.then(() => ends.push('caller_left'))
  const caller = (await start())()
  caller.socket.write(upgrade('/identity/verifications/ver_1'))
  await caller.until('HTTP/1.1 ')
  expect(ends).not.toContain('caller_left')
})
