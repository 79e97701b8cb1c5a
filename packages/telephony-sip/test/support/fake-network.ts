import type { Endpoint } from '../../src/media/source-latch.ts'
import type { OpenUdpSocket } from '../../src/media/udp-socket.ts'

/** A packet on its way. */
export interface Datagram {
  readonly bytes: Uint8Array
  readonly from: Endpoint
  readonly to: Endpoint
}

/** A network of sockets in memory, whose time is that of its clock. */
export interface FakeNetwork {
  readonly clock: { nowMs(): number }
  readonly openSocket: OpenUdpSocket
  /** All packets that were sent, in order. */
  readonly sent: readonly Datagram[]
  /** Sends a packet from anywhere. */
  inject(datagram: Datagram): void
  /** Passes time, and delivers what arrives meanwhile. */
  advance(ms: number): void
}

const keyOf = ({ address, port }: Endpoint): string => `${address} ${port}`

/**
 * @param options.fate returns the delays with which a packet arrives: none if it is lost, several if it is repeated; by default
 *   it arrives at once
 */
export function createFakeNetwork(
  options: { readonly fate?: (datagram: Datagram, index: number) => readonly number[] } = {},
): FakeNetwork {
  const { fate = () => [0] } = options
  const receivers = new Map<string, (packet: Uint8Array, from: Endpoint) => void>()
  const taken = new Set<string>()
  const sent: Datagram[] = []
  let onTheWay: { readonly datagram: Datagram; readonly atMs: number }[] = []
  let nowMs = 1000
  let nextPort = 20_000

  const deliver = ({ bytes, from, to }: Datagram) => receivers.get(keyOf(to))?.(bytes.slice(), from)
  const inject = (datagram: Datagram) => {
    const copy = { ...datagram, bytes: datagram.bytes.slice() }
    sent.push(copy)
    for (const delayMs of fate(copy, sent.length - 1))
      if (delayMs === 0) deliver(copy)
      else onTheWay.push({ datagram: copy, atMs: nowMs + delayMs })
  }

  return {
    clock: { nowMs: () => nowMs },
    sent,
    inject,
    async openSocket(address, wanted) {
      while (taken.has(keyOf({ address, port: nextPort }))) nextPort += 1
      const port = wanted === 0 ? nextPort++ : wanted
      const key = keyOf({ address, port })
      if (taken.has(key)) throw Object.assign(new Error('taken'), { code: 'EADDRINUSE' })
      taken.add(key)
      return {
        port,
        send: (bytes, to) => inject({ bytes, from: { address, port }, to }),
        onPacket: (receive) => receivers.set(key, receive),
        close() {
          receivers.delete(key)
          taken.delete(key)
        },
      }
    },
    advance(ms) {
      nowMs += ms
      const arrived = onTheWay.filter(({ atMs }) => atMs <= nowMs)
      onTheWay = onTheWay.filter(({ atMs }) => atMs > nowMs)
      for (const { datagram } of arrived.toSorted((one, other) => one.atMs - other.atMs)) deliver(datagram)
    },
  }
}
