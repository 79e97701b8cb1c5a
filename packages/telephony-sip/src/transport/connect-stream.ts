import { connect, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as connectTls, type ConnectionOptions, TLSSocket } from 'node:tls'
import type { Clock } from '../clock.ts'
import type { Peer } from './flow.ts'
import type { TlsCredentials } from './tls-credentials.ts'
import { TransportError } from './transport-error.ts'

/** Short enough to try another target while somebody waits. */
const CONNECT_TIMEOUT_MS = 5000

export interface ConnectOptions {
  readonly clock: Clock
  readonly localAddress: string
  /** In PEM, instead of those that Node trusts. */
  readonly certificateAuthorities?: readonly string[]
  /** Shown to peers that ask for one. */
  readonly clientCertificate?: TlsCredentials
}

/** Opens a connection; over TLS, to a peer whose certificate names `serverName`. @throws TransportError */
export async function connectStream(
  peer: Peer,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const isTls = peer.transport === 'tls'
  const socket = isTls ? openTls(peer, options) : openTcp(peer, options)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const cancel = options.clock.after(CONNECT_TIMEOUT_MS, () => reject(new TransportError('timeout')))
  const abort = () => reject(new TransportError('closed'))
  signal.addEventListener('abort', abort)
  const fail = (cause: Error) => {
    const isUntrusted = socket instanceof TLSSocket && Boolean(socket.authorizationError)
    reject(new TransportError(isUntrusted ? 'untrusted' : 'unreachable', { cause }))
  }
  socket.once('error', fail)
  socket.once(isTls ? 'secureConnect' : 'connect', resolve)
  try {
    await promise
    return socket
  } catch (error) {
    // Late errors of a socket that nobody uses.
    socket.on('error', () => {})
    socket.destroy()
    throw error
  } finally {
    cancel()
    signal.removeEventListener('abort', abort)
    socket.off('error', fail)
  }
}

const openTcp = ({ address, port }: Peer, { localAddress }: ConnectOptions): Socket =>
  connect({ host: address, port, localAddress })

function openTls(
  peer: Peer,
  { localAddress, certificateAuthorities, clientCertificate }: ConnectOptions,
): TLSSocket {
  const { address, port, serverName = address } = peer
  // The types of `tls.connect` lack `localAddress`, which it passes on to `net.connect`.
  const options: ConnectionOptions & TcpNetConnectOpts = {
    host: address,
    port,
    localAddress,
    // A certificate may name an address, but SNI may not: then it is held to `host`.
    ...(isIP(serverName) === 0 && { servername: serverName }),
    minVersion: 'TLSv1.2',
    ...(certificateAuthorities !== undefined && { ca: [...certificateAuthorities] }),
    ...(clientCertificate && { key: clientCertificate.key, cert: clientCertificate.certificate }),
  }
  return connectTls(options)
}
