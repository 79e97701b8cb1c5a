import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns ports of this machine that are free at the moment. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  // All at once, so that none gets the port of another.
  await Promise.all(servers.map((server) => once(server, 'listening')))
  return await Promise.all(
    servers.map(async (server) => {
      const address = server.address()
      server.close()
      await once(server, 'close')
      if (address === null || typeof address === 'string') throw new TypeError('A server has no port')
      return address.port
    }),
  )
}
