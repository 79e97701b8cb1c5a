import type { OpenUdpSocket } from '../media/udp-socket.ts'
import type { Endpoint, openDatagramSocket } from '../transport/datagram-socket.ts'

/** UDP sockets that reach each other in memory, so that no port is opened and time can run at any speed. */
export interface MemoryNetwork {
  /** For signalling. */
  readonly openDatagrams: typeof openDatagramSocket
  /** For media. */
  readonly openSocket: OpenUdpSocket
}

/** First of the ports that a socket gets if it asks for none. */
const FIRST_PORT = 1024
const PORTS = 65_536 - FIRST_PORT

type Receive = (bytes: Uint8Array, from: Endpoint) => void

/** Creates a network without sockets. A packet arrives in the same turn of the event loop, unless nothing listens at its port. */
export function createMemoryNetwork(): MemoryNetwork {
  const receivers = new Map<number, Receive>()
  let opened = 0

  /** Takes the port, or the next free one for 0. */
  function take(wanted: number): number {
    if (wanted !== 0 && receivers.has(wanted))
      throw Object.assign(new Error('The port is taken'), { code: 'EADDRINUSE' })
    let port = wanted
    while (port === 0 || receivers.has(port)) port = FIRST_PORT + (opened++ % PORTS)
    receivers.set(port, () => {})
    return port
  }
  const post = (bytes: Uint8Array, from: Endpoint, to: Endpoint): void => {
    const packet = bytes.slice()
    queueMicrotask(() => receivers.get(to.port)?.(packet, from))
  }

  return {
    async openDatagrams({ address, port: wanted }, { onDatagram }) {
      const local = { address, port: take(wanted) }
      receivers.set(local.port, onDatagram)
      return {
        local,
        send: async (bytes, peer) => post(bytes, local, peer),
        watch() {},
        async close() {
          receivers.delete(local.port)
        },
      }
    },
    async openSocket(address, wanted) {
      const port = take(wanted)
      return {
        port,
        send: (packet, to) => post(packet, { address, port }, to),
        onPacket: (receive) => void receivers.set(port, receive),
        close: () => void receivers.delete(port),
      }
    },
  }
}
