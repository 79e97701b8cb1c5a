import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Ringing } from '../call/ringing-calls.ts'
import type { RawCallback, StreamProtocol } from '../provider/provider.ts'
import { type StreamReceiver, readMediaSocket } from './media-socket.ts'
import { readBody } from './read-body.ts'

/** The HTTP server that the provider reaches at the public URL. */
export interface Listener {
  readonly port: number
  /** Ends all connections. */
  close(): Promise<void>
}

export interface ListenerOptions {
  readonly address: string
  /** 0 for any that is free. */
  readonly port: number
  readonly protocol: Pick<StreamProtocol, 'readMessage'>
  /** Takes a callback at the URL of a call. Returns false if it is not authentic. */
  readonly takeCallback: (reference: string, callback: RawCallback) => boolean
  /** Takes the webhook of a call that comes in. Returns undefined if it is not authentic. Absent if no calls are taken. */
  readonly ring?: (raw: RawCallback) => Ringing | undefined
  readonly redeem: (token: string) => StreamReceiver | undefined
  /** Most connections at once, with and without a call. Default 2000. */
  readonly maxConnections?: number
}

const MAX_CONNECTIONS = 2000
/** Twilio's callbacks have about 1 KiB. */
const LARGEST_BODY_BYTES = 16 * 1024
/** A message of 20 ms has about 400 bytes. */
const LARGEST_MESSAGE_BYTES = 8 * 1024
const REQUEST_MS = 10_000

// The path may have more in front, if a proxy passes the public URL's own path on.
const STATUS_PATH = /\/status\/([0-9a-f]{32})$/
const INCOMING_PATH = /\/incoming$/
const MEDIA_PATH = /\/media$/

/** Opens the server. @throws the system's error if the port cannot be listened on */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { address, port, protocol, redeem } = options
  const server = createServer({
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: REQUEST_MS,
    connectionsCheckingInterval: REQUEST_MS,
  })
  server.maxConnections = options.maxConnections ?? MAX_CONNECTIONS
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: LARGEST_MESSAGE_BYTES,
  })

  server.on('request', (request, response) => void answer(request, response, options))
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    if (!MEDIA_PATH.test(pathOf(request)))
      return void socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
    sockets.handleUpgrade(request, socket, head, (opened) =>
      readMediaSocket({ socket: opened, protocol, redeem }),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, () => {
      server.off('error', reject)
      resolve()
    })
  })

  return {
    port: portOf(server.address()),
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: Pick<ListenerOptions, 'takeCallback' | 'ring'>,
): Promise<void> {
  const respond = (status: number) => {
    // What is left of a body is not read.
    if (!request.complete) response.setHeader('connection', 'close')
    response.writeHead(status).end()
  }
  const reference = STATUS_PATH.exec(pathOf(request))?.[1]
  const ring = INCOMING_PATH.test(pathOf(request)) ? options.ring : undefined
  if ((reference === undefined && !ring) || request.method !== 'POST') return respond(404)
  const body = await readBody(request, LARGEST_BODY_BYTES)
  if (body === undefined) return respond(413)
  const headerOf = (name: string) => {
    const value = request.headers[name]
    return typeof value === 'string' ? value : undefined
  }
  if (reference !== undefined) return respond(options.takeCallback(reference, { headerOf, body }) ? 204 : 403)
  const ringing = ring?.({ headerOf, body })
  if (!ringing) return respond(403)
  response.on('close', ringing.giveUp)
  response.setHeader('content-type', 'text/xml')
  response.end(await ringing.instructions)
}
