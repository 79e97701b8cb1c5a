import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedDelivery {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  event: { event_id: string; type: string; created_at: string; data: Record<string, unknown> }
}

/** Answers one delivery: a status, or whatever is done to the response. */
export type Answer = number | ((response: ServerResponse, delivery: ReceivedDelivery) => void)

export interface Receiver extends AsyncDisposable {
  url: string
  /** In the order in which they came. */
  deliveries: ReceivedDelivery[]
  /** Those that were answered with success, in the order of the answers. */
  accepted: ReceivedDelivery[]
  /** Requests on a path that are not answered yet. */
  underWay(path: string): number
  /** The most there were at once. */
  mostUnderWay(path: string): number
  /** How deliveries are answered from now on. */
  answer(choose: (delivery: ReceivedDelivery) => Answer): void
}

/** A receiver of webhooks, as a customer runs it. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries: ReceivedDelivery[] = []
  const accepted: ReceivedDelivery[] = []
  const underWay = new Map<string, { now: number; most: number }>()
  const countOf = (path: string) => underWay.get(path) ?? { now: 0, most: 0 }
  function count(path: string, change: 1 | -1): void {
    const { now, most } = countOf(path)
    underWay.set(path, { now: now + change, most: Math.max(most, now + change) })
  }
  let choose: (delivery: ReceivedDelivery) => Answer = () => 204
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const body = await readWhole(request)
    if (body === undefined) return
    const delivery = { path, headers: request.headers, body, event: JSON.parse(body.toString()) }
    deliveries.push(delivery)
    count(path, 1)
    response.once('close', () => count(path, -1))
    response.once('finish', () => {
      if (response.statusCode >= 200 && response.statusCode < 300) accepted.push(delivery)
    })
    const answer = choose(delivery)
    if (typeof answer === 'number') response.writeHead(answer).end()
    else answer(response, delivery)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    deliveries,
    accepted,
    underWay: (path) => countOf(path).now,
    mostUnderWay: (path) => countOf(path).most,
    answer(next) {
      choose = next
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Undefined where the sender ended in the middle. */
async function readWhole(request: IncomingMessage): Promise<Buffer | undefined> {
  try {
    return Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
  } catch {
    return undefined
  }
}
