import type { Clock } from '../clock.ts'
import type { SipMessage } from '../message/message.ts'
import { parseMessage } from '../message/parse-message.ts'
import { serializeMessage, SipSerializeError } from '../message/serialize-message.ts'
import { SipParseError } from '../message/sip-parse-error.ts'
import { type DatagramSocket, type Endpoint, openDatagramSocket } from './datagram-socket.ts'
import type { Peer, Transport, TransportName } from './flow.ts'
import { listenForStreams, type StreamListener } from './listen-for-streams.ts'
import { refuseMalformed } from './refuse-malformed.ts'
import { StreamConnections } from './stream-connections.ts'
import type { TlsCredentials } from './tls-credentials.ts'
import { TransportError } from './transport-error.ts'

export interface TransportOptions {
  readonly clock: Clock
  /** Local address of every socket. IPv6 if it is one; there is no socket for both. */
  readonly address: string
  /** Host to write into Via and Contact, behind NAT or with an `address` that stands for all. Default `address`. */
  readonly advertisedHost?: string
  /** Opens a UDP socket. A port of 0 takes a free one. */
  readonly udp?: { readonly port: number }
  /** Listens for TCP. Connections to peers need no listener. */
  readonly tcp?: { readonly port: number }
  /** Listens for TLS. */
  readonly tls?: { readonly port: number } & TlsCredentials
  /** Certificates, in PEM, that peers are verified by, instead of those that Node trusts. */
  readonly certificateAuthorities?: readonly string[]
  /** Shown to peers that ask for a certificate. */
  readonly clientCertificate?: TlsCredentials
  /** Opens the UDP socket. Default: one of the system. */
  readonly openDatagrams?: typeof openDatagramSocket
}

export interface OpenTransport extends Transport {
  /** Returns how many messages could not be parsed so far. */
  malformedCount(): number
}

const DEFAULT_PORTS: Readonly<Record<TransportName, number>> = { udp: 5060, tcp: 5060, tls: 5061 }

/** Opens the sockets of one user agent. @throws TransportError `unbound` */
export async function openTransport(options: TransportOptions): Promise<OpenTransport> {
  const transport = new SocketTransport(options)
  try {
    await transport.open()
  } catch (error) {
    await transport.close()
    throw error
  }
  return transport
}

class SocketTransport implements OpenTransport {
  readonly #options: TransportOptions
  readonly #connections: StreamConnections
  readonly #listeners = new Map<TransportName, StreamListener>()
  #udp: DatagramSocket | undefined
  #malformed = 0
  #tellMessage: (message: SipMessage, from: Peer) => void = () => {}
  #tellFailed: (peer: Peer) => void = () => {}

  constructor(options: TransportOptions) {
    const { clock, address: localAddress, certificateAuthorities, clientCertificate } = options
    this.#options = options
    this.#connections = new StreamConnections({
      clock,
      localAddress,
      ...(certificateAuthorities !== undefined && { certificateAuthorities }),
      ...(clientCertificate !== undefined && { clientCertificate }),
      onItem: (item, from) => {
        if (item.kind === 'message') this.#tellMessage(item.message, from)
        else if (item.kind !== 'ping') this.#refuse(item.error, from)
      },
      onPeerFailed: (peer) => this.#tellFailed(peer),
    })
  }

  async open(): Promise<void> {
    const { address, udp, tcp, tls, openDatagrams = openDatagramSocket } = this.#options
    if (udp !== undefined)
      this.#udp = await openDatagrams(
        { address, port: udp.port },
        {
          onDatagram: (bytes, from) => this.#receive(bytes, { transport: 'udp', ...from }),
          onUnreachable: (peer) => this.#tellFailed({ transport: 'udp', ...peer }),
        },
      )
    if (tcp !== undefined) await this.#listen('tcp', tcp.port)
    if (tls !== undefined) await this.#listen('tls', tls.port, tls)
  }

  isReliable(name: TransportName): boolean {
    return name !== 'udp'
  }

  localAddress(name: TransportName): { readonly host: string; readonly port: number } {
    const { address, advertisedHost = address } = this.#options
    const bound = name === 'udp' ? this.#udp : this.#listeners.get(name)
    return { host: advertisedHost, port: bound?.local.port ?? DEFAULT_PORTS[name] }
  }

  async send(message: SipMessage, peer: Peer): Promise<void> {
    const bytes = serialize(message)
    if (peer.transport !== 'udp') return this.#connections.send(bytes, peer, message.kind)
    if (this.#udp === undefined) throw new TransportError('unsupported')
    // Not what strangers send us: their addresses may be forged.
    if (message.kind === 'request') this.#udp.watch(peer)
    return this.#udp.send(bytes, peer)
  }

  onMessage(receive: (message: SipMessage, from: Peer) => void): void {
    this.#tellMessage = receive
  }

  onPeerFailed(receive: (peer: Peer) => void): void {
    this.#tellFailed = receive
  }

  malformedCount(): number {
    return this.#malformed
  }

  async close(): Promise<void> {
    this.#connections.close()
    await Promise.all([this.#udp?.close(), ...[...this.#listeners.values()].map((one) => one.close())])
    this.#listeners.clear()
  }

  async #listen(name: 'tcp' | 'tls', port: number, credentials?: TlsCredentials): Promise<void> {
    const local: Endpoint = { address: this.#options.address, port }
    const listener = await listenForStreams(local, credentials, (socket, from) =>
      this.#connections.accept(socket, { transport: name, ...from }),
    )
    this.#listeners.set(name, listener)
  }

  #receive(bytes: Uint8Array, from: Peer): void {
    let message
    try {
      message = parseMessage(bytes)
    } catch (error) {
      if (!(error instanceof SipParseError)) throw error
      return this.#refuse(error, from)
    }
    this.#tellMessage(message, from)
  }

  #refuse(error: SipParseError, from: Peer): void {
    // A keep-alive of line ends.
    if (error.code === 'empty') return
    this.#malformed += 1
    void this.#respond(error, from)
  }

  async #respond(error: SipParseError, from: Peer): Promise<void> {
    const refused = refuseMalformed(error, from)
    try {
      if (refused !== undefined) await this.send(refused.response, refused.peer)
    } catch {
      // It has no transaction that could try again.
    }
  }
}

function serialize(message: SipMessage): Uint8Array {
  try {
    return serializeMessage(message)
  } catch (cause) {
    if (cause instanceof SipSerializeError) throw new TransportError('unsendable', { cause })
    throw cause
  }
}
