import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/** A port is needed to ask the system for a route. Nothing is sent to it. */
const ANY_PORT = 9

/** Returns the address of the network interface that the route to an address leaves by. @throws Error if there is none */
export async function findLocalAddress(remote: string | undefined): Promise<string> {
  if (remote === undefined) throw new Error('DNS has no address of the trunk')
  const socket = createSocket(isIPv6(remote) ? 'udp6' : 'udp4')
  try {
    socket.connect(ANY_PORT, remote)
    await once(socket, 'connect')
    return socket.address().address
  } finally {
    socket.close()
  }
}
