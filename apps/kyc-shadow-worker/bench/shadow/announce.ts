import type { Server } from 'node:http'

/** Listens anywhere, and prints the port. */
export function announce(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    console.log(typeof address === 'object' ? address?.port : '')
  })
}
