import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Endpoint } from './source-latch.ts'

/** UDP socket of one port. A packet that cannot be sent is lost, as on any network. */
export interface UdpSocket {
  readonly port: number
  send(packet: Uint8Array, to: Endpoint): void
  /** Sets the receiver of packets, each in an array of its own. */
  onPacket(receive: (packet: Uint8Array, from: Endpoint) => void): void
  close(): void
}

/** Opens a socket at a port of an address; at any port for 0. Rejects with the system's error if it is taken. */
export type OpenUdpSocket = (address: string, port: number) => Promise<UdpSocket>

/** Kernel buffer for packets that wait while the thread is held up: several seconds of one call. */
const RECEIVE_BUFFER_BYTES = 256 * 1024

export const openUdpSocket: OpenUdpSocket = (address, port) =>
  new Promise((resolve, reject) => {
    const family = isIPv6(address) ? 6 : 4
    const socket = createSocket({
      type: family === 6 ? 'udp6' : 'udp4',
      recvBufferSize: RECEIVE_BUFFER_BYTES,
      // Addresses are numeric. The default lookup calls back in a later turn, when the packet may be overwritten.
      lookup: (host, _options, callback) => callback(null, host, family),
    })
    let isClosed = false
    socket.once('error', reject)
    socket.bind({ address, port, exclusive: true }, () => {
      socket.off('error', reject)
      socket.on('error', () => undefined)
      resolve({
        port: socket.address().port,
        send(packet, to) {
          // Nobody can be reached at port 0, but a forged packet can come from there. Without a callback, Node queues
          // nothing for a packet that is sent at once, which makes sending cheaper.
          if (!isClosed && to.port > 0) socket.send(packet, to.port, to.address)
        },
        onPacket(receive) {
          socket.on('message', receive)
        },
        close() {
          if (isClosed) return
          isClosed = true
          socket.close()
        },
      })
    })
  })
