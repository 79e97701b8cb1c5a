import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
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
  /** How deliveries are answered from now on. */
  answer(choose: (delivery: ReceivedDelivery) => Answer): void
}

/** A receiver of webhooks, as a customer runs it. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries: ReceivedDelivery[] = []
  let choose: (delivery: ReceivedDelivery) => Answer = () => 204
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    const delivery = {
      path: request.url ?? '',
      headers: request.headers,
      body,
      event: JSON.parse(body.toString()),
    }
    deliveries.push(delivery)
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
