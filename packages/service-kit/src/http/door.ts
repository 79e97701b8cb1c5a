import { lookup } from 'node:dns/promises'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net'
import { listen } from '../lifecycle/listen.ts'
import { REQUEST_TIMEOUT_MS } from './connection/bounds.ts'
import { RequestMessage, ResponseMessage } from './connection/messages.ts'
import { endOf, type StopDeadline } from '../lifecycle/stop-deadline.ts'

const KEEP_ALIVE_TIMEOUT_MS = 72_000

/** Where the server listens, from the first moment of its start to the last of its stop. */
export interface Door {
  /** What the application is built on. */
  readonly server: Server
  readonly port: number
  /** Hands requests to the application from now on, instead of to what answers while the server starts. */
  open(handler: RequestListener): void
  /**
   * Listens no longer, and closes every connection on which no request is under way: idle ones, silent ones, and those with
   * half a head. The others close with their answer, or when the grace is over.
   */
  stop(deadline: StopDeadline): Promise<void>
}

/** Listens on an address; on each of them for `localhost`. */
export async function openDoor(options: {
  host: string
  port: number
  whileStarting: RequestListener
}): Promise<Door> {
  const { host } = options
  let handler = options.whileStarting
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      // `findMalformation` looks at the host, and its refusal has our error body.
      requireHostHeader: false,
      IncomingMessage: RequestMessage,
      ServerResponse: ResponseMessage,
    },
    (request, response) => handler(request, response),
  )
  // A caller that has ended its side still reads its answer. The property is undocumented and untyped.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS
  const connections = followConnections(server)
  const [first = host, ...others] = host === 'localhost' ? await findAddresses(host) : [host]
  await using opened = new AsyncDisposableStack()
  opened.defer(() => void server.close())
  const variables = { host: 'HOST', port: 'PORT' }
  const port = await listen(server, { host: first, port: options.port, variables })
  const listeners: TcpServer[] = [server]
  for (const address of others) {
    // One server has them all.
    const more = createTcpServer((socket) => void server.emit('connection', socket))
    await listen(more, { host: address, port, variables })
    opened.defer(() => void more.close())
    listeners.push(more)
  }
  opened.move()
  return {
    server,
    port,
    open: (application) => void (handler = application),
    async stop({ graceOver, timeOver }) {
      const closed = Promise.all(
        listeners.map((listener) => new Promise((resolve) => listener.close(resolve))),
      )
      connections.close()
      await endOf(closed, graceOver)
      connections.destroy()
      await endOf(closed, timeOver)
    },
  }
}

const findAddresses = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/** Knows of each connection whether a request is under way on it, which Node does of those that have sent one. */
function followConnections(server: Server) {
  const requests = new Map<Socket, number>()
  let isClosing = false
  server.on('connection', (socket: Socket) => {
    requests.set(socket, 0)
    socket.once('close', () => requests.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (requests.get(socket) ?? 1) - 1
      if (!socket.destroyed) requests.set(socket, left)
      // What was written is sent before it ends.
      if (isClosing && left === 0) socket.end()
    })
  })
  return {
    close() {
      isClosing = true
      for (const [socket, underWay] of requests) if (underWay === 0) socket.destroy()
    },
    destroy() {
      for (const socket of requests.keys()) socket.destroy()
    },
  }
}
