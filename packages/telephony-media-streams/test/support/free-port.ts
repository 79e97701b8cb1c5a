import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports that no system hands out by itself, so that no connection of another test takes one in between. */
const FIRST = 20_000
const LAST = 32_000

/** Returns a TCP port of 127.0.0.1 that nobody uses at this moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
    const server = createServer()
    const isFree = new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!(await isFree)) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
