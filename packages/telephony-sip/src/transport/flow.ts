import type { SipMessage } from '../message/message.ts'

export type TransportName = 'udp' | 'tcp' | 'tls'

/** Address of a peer. */
export interface Peer {
  readonly transport: TransportName
  /** An IPv4 or IPv6 address, never a name: see `resolveTargets` for names. */
  readonly address: string
  readonly port: number
  /** Name that the certificate must have, over TLS. */
  readonly serverName?: string
}

/** Sockets of one user agent. */
export interface Transport {
  /** True over TCP and TLS, which retransmit by themselves. */
  isReliable(name: TransportName): boolean
  /** Address and port to write into Via and Contact: the advertised address if there is one, otherwise that of the socket. */
  localAddress(name: TransportName): { readonly host: string; readonly port: number }
  /** Sends a message, opening a connection if there is none. Resolves when it was handed to the socket. @throws TransportError */
  send(message: SipMessage, peer: Peer): Promise<void>
  /** Sets the receiver of whole, well-formed messages, with the address that they really came from. */
  onMessage(receive: (message: SipMessage, from: Peer) => void): void
  /** Sets the receiver of peers that cannot be reached any more: their port is closed, or the connection to them was lost. */
  onPeerFailed(receive: (peer: Peer) => void): void
  /** Closes every socket. Idempotent. */
  close(): Promise<void>
}

/** Returns whether both are one socket at the far end. */
export const isSamePeer = (one: Peer, other: Peer): boolean =>
  one.transport === other.transport && one.address === other.address && one.port === other.port
