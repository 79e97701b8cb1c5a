import type { Socket } from 'node:net'
import type { SipMessage } from '../message/message.ts'
import type { StreamItem } from '../message/message-reader.ts'
import { connectStream, type ConnectOptions } from './connect-stream.ts'
import type { Peer } from './flow.ts'
import { createStreamConnection, type StreamConnection } from './stream-connection.ts'
import { TransportError } from './transport-error.ts'

/** To peers that we call. Their trunk hangs up a call over the connection that it was placed on, so it outlasts calls. */
const OUTBOUND_IDLE_MS = 4 * 3_600_000
/** From anybody. Peers that keep theirs for longer send keep-alives (RFC 5626: at most each 120 s). */
const INBOUND_IDLE_MS = 300_000
/** Within what RFC 5626, 4.4.1 recommends for TCP. */
const KEEP_ALIVE_MS = 100_000
const MAX_OUTBOUND = 64
/** Of one listener. */
export const MAX_INBOUND = 256

export interface ConnectionsOptions extends ConnectOptions {
  onItem(item: StreamItem, from: Peer): void
  onPeerFailed(peer: Peer): void
}

const keyOf = ({ transport, address, port, serverName = '' }: Peer) =>
  `${transport} ${address} ${port} ${serverName}`

/** The connections of one transport, opened when something is sent. */
export class StreamConnections {
  readonly #options: ConnectionsOptions
  readonly #outbound = new Map<string, Promise<StreamConnection>>()
  readonly #inbound = new Map<string, StreamConnection>()
  readonly #closed = new AbortController()

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  /**
   * Only requests open connections. Responses go where the request came from, and whoever sent it and left could have us open
   * as many as there may be.
   * @throws TransportError
   */
  async send(bytes: Uint8Array, peer: Peer, kind: SipMessage['kind']): Promise<void> {
    if (this.#closed.signal.aborted) throw new TransportError('closed')
    const key = keyOf(peer)
    const open = this.#inbound.get(key) ?? this.#outbound.get(key)
    if (open === undefined && kind === 'response') throw new TransportError('unreachable')
    const connection = await (open ?? this.#open(peer))
    await connection.write(bytes)
  }

  /** Takes over a connection that a listener accepted. */
  accept(socket: Socket, peer: Peer): void {
    const key = keyOf(peer)
    const connection = this.#use(socket, peer, { idleMs: INBOUND_IDLE_MS }, () => this.#inbound.delete(key))
    this.#inbound.set(key, connection)
  }

  close(): void {
    this.#closed.abort()
    for (const connection of this.#inbound.values()) connection.close()
    // A connection that fails to open needs no closing.
    for (const opening of this.#outbound.values()) void opening.then((open) => open.close()).catch(() => {})
  }

  #open(peer: Peer): Promise<StreamConnection> {
    if (this.#outbound.size >= MAX_OUTBOUND) return Promise.reject(new TransportError('overloaded'))
    const key = keyOf(peer)
    const forget = () => void this.#outbound.delete(key)
    const opening = connectStream(peer, this.#options, this.#closed.signal).then(
      (socket) => this.#use(socket, peer, { idleMs: OUTBOUND_IDLE_MS, keepAliveMs: KEEP_ALIVE_MS }, forget),
      (error: unknown) => {
        forget()
        throw error
      },
    )
    this.#outbound.set(key, opening)
    return opening
  }

  #use(
    socket: Socket,
    peer: Peer,
    lifetime: { readonly idleMs: number; readonly keepAliveMs?: number },
    forget: () => void,
  ): StreamConnection {
    const { clock, onItem, onPeerFailed } = this.#options
    return createStreamConnection(socket, {
      clock,
      ...lifetime,
      onItem: (item) => onItem(item, peer),
      onClose: () => {
        forget()
        if (!this.#closed.signal.aborted) onPeerFailed(peer)
      },
    })
  }
}
