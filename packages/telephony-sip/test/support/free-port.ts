import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Binds a UDP port for a moment. Returns its number; undefined if it is taken. */
async function tryPort(wanted: number): Promise<number | undefined> {
  const socket = createSocket('udp4')
  try {
    socket.bind(wanted, '127.0.0.1')
    await once(socket, 'listening')
    return socket.address().port
  } catch {
    return undefined
  } finally {
    socket.close()
  }
}

/** Returns a UDP port of this machine that nobody uses at this moment. */
export async function freePort(): Promise<number> {
  const port = await tryPort(0)
  if (port === undefined) throw new Error('No port is free')
  return port
}

/** Returns whether a program listens at a UDP port. */
export const isTaken = async (port: number): Promise<boolean> => (await tryPort(port)) === undefined
