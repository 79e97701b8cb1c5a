import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens on a free port, and prints the address as the server does. */
export const announce = (server: Server): void =>
  void server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    console.log(JSON.stringify({ address: `http://127.0.0.1:${port}` }))
  })
