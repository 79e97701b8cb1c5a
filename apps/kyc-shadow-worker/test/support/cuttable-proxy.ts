import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A proxy in front of a database, which can be cut off. */
export interface CuttableProxy extends AsyncDisposable {
  readonly url: string
  /** Ends all connections, and each new one. */
  cut(): void
  mend(): void
}

export async function startCuttableProxy(databaseUrl: string): Promise<CuttableProxy> {
  const url = new URL(databaseUrl)
  const target = { host: url.hostname, port: Number(url.port || 5432) }
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) return void client.destroy()
    const upstream = connect(target)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  url.host = `127.0.0.1:${address.port}`
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cut() {
      isCut = true
      end()
    },
    mend: () => void (isCut = false),
    async [Symbol.asyncDispose]() {
      end()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
