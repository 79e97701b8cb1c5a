import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'

/** Enough for any webhook of the service. */
const MAX_BODY_BYTES = 1_048_576
/** Together with the body limit, this bounds the memory. */
const MAX_CONNECTIONS = 32
const REQUEST_TIMEOUT_MS = 10_000

export interface Delivery {
  readonly body: Uint8Array
  readonly headers: IncomingHttpHeaders
}

export interface Receiver extends AsyncDisposable {
  /** URL on this machine. */
  readonly url: string
}

/**
 * Receives deliveries on the loopback interface.
 *
 * @param onDelivery returns the response status; a rejection becomes 500
 */
export async function startReceiver(
  port: number,
  onDelivery: (delivery: Delivery) => Promise<number>,
): Promise<Receiver> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const answer = (status: number): void =>
      void response.writeHead(status, status === 413 ? { connection: 'close' } : {}).end()
    receive(request, onDelivery).then(answer, () => answer(500))
  })
  server.maxConnections = MAX_CONNECTIONS
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function receive(
  request: IncomingMessage,
  onDelivery: (delivery: Delivery) => Promise<number>,
): Promise<number> {
  if (request.method !== 'POST') return 405
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) return 413
    chunks.push(chunk)
  }
  return onDelivery({ body: Buffer.concat(chunks), headers: request.headers })
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The receiver has no port')
  return address.port
}
