import type { Clock } from '../src/clock.ts'
import type { SipMessage } from '../src/message/message.ts'
import { parseMessage } from '../src/message/parse-message.ts'
import { serializeMessage } from '../src/message/serialize-message.ts'
import type { Peer, Transport } from '../src/transport/flow.ts'
import { TransportError } from '../src/transport/transport-error.ts'

export interface NetworkOptions {
  readonly clock: Clock
  /** Share of messages that are lost. Default 0. */
  readonly loss?: number
  /** Share of the others that arrive twice. Default 0. */
  readonly duplication?: number
  /** Longest delay: messages overtake each other. Default 0: in the same order. */
  readonly maxDelayMs?: number
  /** Returns numbers from 0 to below 1. */
  readonly random?: () => number
  /** Loses a message by choice. */
  readonly loses?: (message: SipMessage, to: Peer) => boolean
}

/** An in-memory network, whose messages pass through the serializer and the parser. */
export interface Network {
  /** Every message that was sent, in order, lost ones included. */
  readonly sent: readonly SipMessage[]
  /** Opens the transport of an address. */
  open(local: Peer): Transport
  /** Reports to every transport that a peer cannot be reached. */
  fail(peer: Peer): void
}

const keyOf = ({ transport, address, port }: Peer) => `${transport} ${address} ${port}`

export function createLossyNetwork(options: NetworkOptions): Network {
  const {
    clock,
    loss = 0,
    duplication = 0,
    maxDelayMs = 0,
    random = () => 0.5,
    loses = () => false,
  } = options
  const receivers = new Map<string, (message: SipMessage, from: Peer) => void>()
  const failureListeners = new Set<(peer: Peer) => void>()
  const sent: SipMessage[] = []

  function deliver(bytes: Uint8Array, local: Peer, peer: Peer): void {
    clock.after(random() * maxDelayMs, () => receivers.get(keyOf(peer))?.(parseMessage(bytes), local))
  }

  return {
    sent,
    fail(peer) {
      for (const tell of failureListeners) tell(peer)
    },
    open: (local) => ({
      isReliable: (name) => name !== 'udp',
      localAddress: () => ({ host: local.address, port: local.port }),
      async send(message, peer) {
        const bytes = serializeMessage(message)
        // Nobody listens there.
        if (peer.transport !== 'udp' && !receivers.has(keyOf(peer))) throw new TransportError('unreachable')
        sent.push(message)
        if (random() < loss || loses(message, peer)) return
        deliver(bytes, local, peer)
        if (random() < duplication) deliver(bytes, local, peer)
      },
      onMessage: (receive) => void receivers.set(keyOf(local), receive),
      onPeerFailed: (receive) => void failureListeners.add(receive),
      close: async () => void receivers.delete(keyOf(local)),
    }),
  }
}
