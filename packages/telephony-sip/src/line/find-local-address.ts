import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'

/** A port is needed to ask the system for a route. Nothing is sent to it. */
const ANY_PORT = 9

/** Returns the address of the network interface that the route to a host leaves by. @throws Error if the host is unknown */
export async function findLocalAddress(host: string): Promise<string> {
  const { address, family } = await lookup(host)
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  try {
    socket.connect(ANY_PORT, address)
    await once(socket, 'connect')
    return socket.address().address
  } finally {
    socket.close()
  }
}
