import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FaultServer, SeenRequest } from '../faults/fault.ts'
import type { Step } from '../faults/steps.ts'

/** What a page of another origin may send and see. `*` does not stand for `authorization`. */
const FOR_BROWSERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  'access-control-expose-headers': '*',
  'access-control-max-age': '600',
}

/** The question of a browser before the request: on a connection of its own, so that a fault hits the request alone. */
function answersPreflight({ method }: IncomingMessage, response: ServerResponse): boolean {
  response.setHeaders(new Headers(FOR_BROWSERS))
  if (method !== 'OPTIONS') return false
  response.writeHead(204, { connection: 'close' }).end()
  return true
}

/** Lets wait for how many there have been. */
function createCounter() {
  let count = 0
  const waiting = new Map<number, () => void>()
  return {
    add(): void {
      count += 1
      waiting.get(count)?.()
    },
    reached: (number: number): Promise<void> =>
      count >= number ? Promise.resolve() : new Promise((resolve) => waiting.set(number, resolve)),
  }
}

/** Answers each request by the next step; the last step answers all that follow. */
export async function startFaultServer(steps: readonly Step[]): Promise<FaultServer> {
  const seen: SeenRequest[] = []
  const responses: ServerResponse[] = []
  const closed: Promise<unknown>[] = []
  const begun = createCounter()
  const received = createCounter()
  const server = createServer((request, response) => {
    if (answersPreflight(request, response)) return
    begun.add()
    void buffer(request).then(
      (body) => {
        const { method = '', url = '', headers } = request
        responses.push(response)
        closed.push(once(response, 'close'))
        seen.push({ method, url, headers, body: body.toString() })
        received.add()
        return steps[Math.min(seen.length, steps.length) - 1]?.(response)
      },
      // The client has gone; its own error is what is looked at.
      () => undefined,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: () => Promise.resolve(seen),
    begun: begun.reached,
    received: received.reached,
    async closed(number) {
      await received.reached(number)
      await closed[number - 1]
    },
    async hangUp(number) {
      await received.reached(number)
      responses[number - 1]?.socket?.end()
    },
    async stop() {
      if (!server.listening) return
      const ended = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await ended
    },
  }
}
