import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

const HOST = '127.0.0.1'
/** Below the ports that systems give away by themselves, so that no other socket takes one before the program that it is for. */
const PORTS = { from: 10_000, to: 32_000 }
const MOST_TRIES = 100

/** Returns whether a program listens at a UDP port. */
export async function isTaken(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  try {
    socket.bind(port, HOST)
    await once(socket, 'listening')
    return false
  } catch {
    return true
  } finally {
    socket.close()
  }
}

async function isTakenByTcp(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, HOST)
    await once(server, 'listening')
    return false
  } catch {
    return true
  } finally {
    server.close()
  }
}

/** Returns a port of this machine at which nobody listens at this moment, over UDP or TCP. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const port = randomInt(PORTS.from, PORTS.to)
    if (!(await isTaken(port)) && !(await isTakenByTcp(port))) return port
  }
  throw new Error('No port is free')
}
