import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Endpoint } from './datagram-socket.ts'
import { MAX_INBOUND } from './stream-connections.ts'
import type { TlsCredentials } from './tls-credentials.ts'
import { TransportError } from './transport-error.ts'

export interface StreamListener {
  readonly local: Endpoint
  /** Accepts no more. Open connections are their users'. */
  close(): Promise<void>
}

/** A connection on which no handshake follows is closed. */
const HANDSHAKE_TIMEOUT_MS = 10_000

/** Listens for TCP, or for TLS with credentials. @throws TransportError `unbound` */
export async function listenForStreams(
  local: Endpoint,
  credentials: TlsCredentials | undefined,
  accept: (socket: Socket, from: Endpoint) => void,
): Promise<StreamListener> {
  const take = (socket: Socket) => {
    const { remoteAddress, remotePort } = socket
    if (remoteAddress === undefined || remotePort === undefined) return socket.destroy()
    return accept(socket, { address: remoteAddress, port: remotePort })
  }
  const server: Server =
    credentials === undefined
      ? createServer(take)
      : createTlsServer(
          {
            key: credentials.key,
            cert: credentials.certificate,
            minVersion: 'TLSv1.2',
            handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
          },
          take,
        )
  server.maxConnections = MAX_INBOUND
  try {
    server.listen(local.port, local.address)
    await once(server, 'listening')
  } catch (cause) {
    throw new TransportError('unbound', { cause })
  }
  // Such as too many open files: later connections can be accepted again.
  server.on('error', () => {})
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : local.port
  return {
    local: { address: local.address, port },
    async close() {
      server.close()
      await once(server, 'close')
    },
  }
}
