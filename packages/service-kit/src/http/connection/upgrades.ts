import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { Socket } from 'node:net'
import type { AppRoute, RouteMetadata } from '@vaani/contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { closeLingering } from './close-lingering.ts'
import { RequestMessage, ResponseMessage } from './messages.ts'

/** A WebSocket as the contract describes it. */
export interface SocketRoute {
  /** The GET that requests the upgrade. */
  readonly upgrade: AppRoute & { readonly metadata: RouteMetadata }
  /** Subprotocol that the server selects. */
  readonly protocol: string
  /** Prefix of an offered subprotocol, before an API key. */
  readonly keyProtocolPrefix: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The WebSocket that the route opens. */
    socket?: SocketRoute
  }
}

/** Paths of the WebSockets that a server has. */
export type SocketPaths = Pick<ReadonlySet<string>, 'has'>

/** The connection of a request that is to be upgraded, and what has arrived on it after the request. */
export interface Upgrade {
  readonly socket: Socket
  readonly head: Buffer
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>()

/** Returns the connection of a request for an upgrade; undefined for any other request. */
export const upgradeOf = ({ raw }: Pick<FastifyRequest, 'raw'>): Upgrade | undefined => upgrades.get(raw)

/**
 * Lists the paths of the WebSockets that are mounted from now on.
 *
 * @param pagePrefix - what the paths begin with in requests of the service's own pages, if it has any
 */
export function trackSocketPaths(app: FastifyInstance, pagePrefix: string | undefined): SocketPaths {
  const paths = new Set<string>()
  app.addHook('onRoute', ({ url, config }) => {
    if (!config?.socket) return
    paths.add(url)
    if (pagePrefix !== undefined) paths.add(pagePrefix + url)
  })
  return paths
}

/**
 * Whether a request asks for one of our WebSockets. An upgrade is an offer that a server may ignore (RFC 9110, section 7.8),
 * so every other request is served as if it had not made it.
 */
export const isSocketRequest = (
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  paths: SocketPaths,
): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && paths.has(url.split('?', 1)[0] ?? '')

/**
 * Passes requests for an upgrade to the application like all others, so that they pass the same checks and get the same
 * refusals. `onRequest` hears of each.
 */
export function serveUpgrades(
  server: Server,
  handler: RequestListener,
  onRequest: (request: IncomingMessage, response: ResponseMessage) => void,
): void {
  server.on('upgrade', (request, socket, head) => {
    if (!(socket instanceof Socket) || !(request instanceof RequestMessage))
      throw new TypeError('An upgrade arrives as a request of ours over a socket')
    // The caller may disconnect at any time; `close` follows.
    socket.on('error', () => undefined)
    const response = new ResponseMessage(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    // Only a refusal finishes: an accepted upgrade never ends its response, which closes with the connection.
    response.once('finish', () => {
      response.detachSocket(socket)
      closeLingering(socket)
      response.emit('close')
    })
    upgrades.set(request, { socket, head })
    onRequest(request, response)
    handler(request, response)
  })
}
