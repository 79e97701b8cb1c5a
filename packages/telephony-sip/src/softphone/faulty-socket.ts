import type { Clock } from '../clock.ts'
import type { OpenUdpSocket } from '../media/udp-socket.ts'
import type { LineFaults, PathFaults } from './simulator-numbers.ts'

/** Opens sockets whose packets are lost or late, as on a bad line. */
export function withFaults(
  open: OpenUdpSocket,
  options: {
    readonly faults: LineFaults
    readonly clock: Pick<Clock, 'after'>
    /** Returns numbers from 0 to below 1. */
    readonly random: () => number
  },
): OpenUdpSocket {
  const { faults, clock, random } = options
  const pass = (path: PathFaults | undefined, deliver: () => void): void => {
    if (path === undefined) return deliver()
    if (random() < path.lossFraction) return
    clock.after(random() * path.jitterMs, deliver)
  }
  return async (address, port) => {
    const socket = await open(address, port)
    let isClosed = false
    return {
      port: socket.port,
      send(packet, to) {
        // Copied, because the sender may write the next packet into the same array before this one leaves.
        const copy = packet.slice()
        pass(faults.fromPhone, () => socket.send(copy, to))
      },
      onPacket(receive) {
        socket.onPacket((packet, from) =>
          pass(faults.toPhone, () => {
            if (!isClosed) receive(packet, from)
          }),
        )
      },
      close() {
        isClosed = true
        socket.close()
      },
    }
  }
}
