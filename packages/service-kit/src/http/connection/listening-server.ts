import { lookup } from 'node:dns/promises'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net'
import { listen } from '../../lifecycle/listen.ts'
import { RECEIVER_IDLE_MS, REQUEST_TIMEOUT_MS } from './bounds.ts'
import { RequestMessage, ResponseMessage } from './messages.ts'
import { createServer } from '../../lifecycle/node-http.ts'
import { endOf, type StopDeadline } from '../../lifecycle/stop-deadline.ts'
import { isSocketRequest, serveUpgrades, type SocketPaths } from './upgrades.ts'

const KEEP_ALIVE_TIMEOUT_MS = 72_000

/** The listening server, from the beginning of the start to the end of the stop. */
export interface ListeningServer {
  /** The server that the application is built on. */
  readonly server: Server
  readonly port: number
  /**
   * Passes requests to the application from now on, instead of to `whileStarting`, and those for one of its WebSockets as an
   * upgrade.
   */
  open(handler: RequestListener, socketPaths?: SocketPaths): void
  /**
   * Stops listening, and closes every connection without a request in flight, including silent ones and those with a partial
   * request head. The others close after their response, or when the grace period ends.
   */
  stop(deadline: StopDeadline): Promise<void>
}

/** Listens on an address, or for `localhost` on each of its addresses. */
export async function openListeningServer(options: {
  host: string
  port: number
  whileStarting: RequestListener
  /** Overrides the bound on receivers that read nothing, for tests. */
  receiverIdleMs?: number
}): Promise<ListeningServer> {
  const { host, receiverIdleMs = RECEIVER_IDLE_MS } = options
  let handler = options.whileStarting
  let socketPaths: SocketPaths = new Set()
  const server = createServer(
    {
      shouldUpgradeCallback: (request) => isSocketRequest(request, socketPaths),
      requestTimeout: REQUEST_TIMEOUT_MS,
      // `findMalformation` checks the host, and its refusal has our error body.
      requireHostHeader: false,
      IncomingMessage: RequestMessage,
      ServerResponse: ResponseMessage,
    },
    (request, response) => handler(request, response),
  )
  // A caller that has ended its side still reads the response. The property is undocumented and untyped.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS
  server.setTimeout(receiverIdleMs, (socket: Socket) => {
    // A response that is still being made leaves nothing to read. Between requests, the time-out is that of keep-alive.
    const isWaiting = socket.timeout === receiverIdleMs && socket.writableLength === 0
    if (!isWaiting) socket.destroy()
  })
  const connections = followConnections(server)
  serveUpgrades(server, (request, response) => handler(request, response), connections.follow)
  const [first = host, ...others] = host === 'localhost' ? await findAddresses(host) : [host]
  await using opened = new AsyncDisposableStack()
  opened.defer(() => void server.close())
  const variables = { host: 'HOST', port: 'PORT' }
  const port = await listen(server, { host: first, port: options.port, variables })
  const listeners: TcpServer[] = [server]
  for (const address of others) {
    // A single HTTP server handles the connections of all listeners.
    const more = createTcpServer((socket) => void server.emit('connection', socket))
    await listen(more, { host: address, port, variables })
    opened.defer(() => void more.close())
    listeners.push(more)
  }
  opened.move()
  return {
    server,
    port,
    open(application, paths = socketPaths) {
      handler = application
      socketPaths = paths
    },
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

/** Tracks which connections have a request in flight. Node only tracks connections that have sent a request. */
function followConnections(server: Server) {
  const requests = new Map<Socket, number>()
  let isClosing = false
  server.on('connection', (socket: Socket) => {
    requests.set(socket, 0)
    socket.once('close', () => requests.delete(socket))
  })
  function follow({ socket }: IncomingMessage, response: ServerResponse): void {
    requests.set(socket, (requests.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (requests.get(socket) ?? 1) - 1
      if (!socket.destroyed) requests.set(socket, left)
      // `end` sends pending data first.
      if (isClosing && left === 0) socket.end()
    })
  }
  server.on('request', follow)
  return {
    follow,
    close() {
      isClosing = true
      for (const [socket, underWay] of requests) if (underWay === 0) socket.destroy()
    },
    destroy() {
      for (const socket of requests.keys()) socket.destroy()
    },
  }
}
