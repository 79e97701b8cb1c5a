import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { UNREAD_BOUNDS, type UnreadBounds } from './bounds.ts'
import { RequestMessage, ResponseMessage } from './messages.ts'

const KIB = 1024
const MIB = 1024 * KIB

let server: Server | undefined
let client: Socket | undefined
afterEach(() => {
  vi.useRealTimers()
  client?.destroy()
  server?.close()
  server?.closeAllConnections()
})

/** Starts a server that responds with 400 after `read` has handled the body. @returns a connection to it */
async function start(
  read: (request: IncomingMessage) => Promise<void>,
  bounds: Partial<UnreadBounds> = {},
): Promise<{ socket: Socket; text(): string; ended: Promise<unknown> }> {
  class Response<Request extends IncomingMessage> extends ResponseMessage<Request> {
    protected override readonly bounds = { ...UNREAD_BOUNDS, ...bounds }
  }
  server = createServer(
    { IncomingMessage: RequestMessage, ServerResponse: Response },
    (request, response) => {
      void read(request).then(() => response.writeHead(400, { 'content-length': 2 }).end('no'))
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  client.on('data', (data) => (text += String(data)))
  // Errors of the connection surface in the operations on it.
  client.on('error', () => undefined)
  return { socket: client, text: () => text, ended: once(client, 'end') }
}

const head = (more: string) => `POST / HTTP/1.1\r\nhost: a\r\n${more}\r\n\r\n`

const SMALL_BYTES = 1000

/** Waits until the buffers between the sender and a handler that stopped reading are full, if the body is large enough. */
async function untilSenderWaits(request: IncomingMessage): Promise<void> {
  if (!(Number(request.headers['content-length']) > SMALL_BYTES)) return
  while (!request.socket.isPaused()) await turn()
}

const readings: Record<string, (request: IncomingMessage) => Promise<void>> = {
  'reads nothing': async () => undefined,
  async 'leaves a loop, which destroys the body'(request) {
    for await (const _ of request) break
  },
  async 'leaves a loop, but keeps the body'(request) {
    for await (const _ of request.iterator({ destroyOnReturn: false })) break
  },
  async 'pauses the body until the sender has to wait'(request) {
    request.on('data', () => request.pause())
    await untilSenderWaits(request)
  },
  async 'pipes the body to a stalled stream'(request) {
    request.pipe(new Writable({ write: () => undefined }))
    await untilSenderWaits(request)
  },
  async 'pauses the body again after the response'(request) {
    request.once('resume', () => setImmediate(() => request.pause()))
  },
}

describe.each(Object.entries(readings))('a handler that %s', (_, read) => {
  test('a large body is read to its end, and the response arrives', async () => {
    const { socket, text, ended } = await start(read)
    const bytes = 12 * MIB
    socket.write(head(`content-length: ${bytes}`))
    for (let sent = 0; sent < bytes; sent += MIB)
      await new Promise<void>((resolve, reject) =>
        socket.write(Buffer.alloc(MIB), (error) => (error ? reject(error) : resolve())),
      )
    await ended
    expect(text()).toMatch(/^HTTP\/1\.1 400 .*\r\nConnection: close\r\n\r\nno$/s)
  })

  test('requests after a small body are served even after the deadline of that body, or the connection ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { socket, text, ended } = await start(read)
    socket.write(`${head(`content-length: ${SMALL_BYTES}`)}${'A'.repeat(500)}`)
    while (!text().includes('no')) await once(socket, 'data')
    if (text().includes('Connection: close')) return void (await ended)
    socket.write(`${'A'.repeat(500)}GET / HTTP/1.1\r\nhost: a\r\n\r\n`)
    while (text().match(/HTTP/g)?.length !== 2) await once(socket, 'data')
    vi.advanceTimersByTime(UNREAD_BOUNDS.keepAliveMs)
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
    await Promise.race([once(socket, 'data'), ended])
    expect(text().match(/HTTP/g)).toHaveLength(3)
  })
})

test('the deadline of a body is cleared when the body has arrived', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { socket, text } = await start(async () => undefined)
  socket.write(`${head(`content-length: ${SMALL_BYTES}`)}${'A'.repeat(500)}`)
  while (!text().includes('no')) await once(socket, 'data')
  expect(vi.getTimerCount()).toBe(1)
  socket.write(`${'A'.repeat(500)}GET / HTTP/1.1\r\nhost: a\r\n\r\n`)
  while (text().match(/HTTP/g)?.length !== 2) await once(socket, 'data')
  expect(vi.getTimerCount()).toBe(0)
})

describe('the rest of a body is read', () => {
  const nothing = async () => undefined
  /** Keeps sending bytes until the connection is gone. */
  async function trickle(socket: Socket, bytes = 1): Promise<void> {
    while (!socket.destroyed) {
      await new Promise<void>((resolve) => socket.write(Buffer.alloc(bytes), () => resolve()))
      await turn()
    }
  }

  test.each([
    ['until a deadline', { lingerMs: 100, progressBytes: 0 }, 1],
    ['only while enough arrives', { progressMs: 50, progressBytes: 64 * MIB }, 1],
    ['up to a limit', { lingerBytes: 20 * MIB }, MIB],
  ])('on a closing connection, %s', async (_, bounds, bytes) => {
    const { socket, text, ended } = await start(nothing, bounds)
    socket.write(head('transfer-encoding: chunked'))
    await ended
    expect(text()).toContain('Connection: close')
    await trickle(socket, bytes)
  })

  test('on a kept connection, until a deadline', async () => {
    const { socket, text, ended } = await start(nothing, {
      keepAliveMs: 50,
      progressMs: 50,
      progressBytes: 64 * MIB,
    })
    socket.write(`${head(`content-length: ${SMALL_BYTES}`)}A`)
    while (!text().includes('no')) await once(socket, 'data')
    expect(text()).not.toContain('close')
    await ended
    await trickle(socket)
  })
})
