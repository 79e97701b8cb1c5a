import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Fault, FaultServer, SeenRequest } from '../faults/fault.ts'
import { acceptUpgrades } from './accept-upgrades.ts'

/** CORS headers for pages of other origins. In `allow-headers`, `*` would not include `authorization`. */
const FOR_BROWSERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  'access-control-expose-headers': '*',
  'access-control-max-age': '600',
}

/** Answers a CORS preflight, and closes its connection so that a fault affects only the request itself. */
function answersPreflight({ method }: IncomingMessage, response: ServerResponse): boolean {
  response.setHeaders(new Headers(FOR_BROWSERS))
  if (method !== 'OPTIONS') return false
  response.writeHead(204, { connection: 'close' }).end()
  return true
}

/** Counts events, and lets callers wait for a count. */
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

/** Returns the step for a request, counted from 1; the last step also serves all later requests. */
const stepOf = <Kind>(steps: readonly Kind[] | undefined, number: number): Kind | undefined =>
  steps?.[Math.min(number, steps.length) - 1]

/** Starts a server that responds to each request with the next step. */
export async function startFaultServer({
  steps,
  sockets,
}: Pick<Fault, 'steps' | 'sockets'>): Promise<FaultServer> {
  const seen: SeenRequest[] = []
  const connections: (Socket | null)[] = []
  const closed: Promise<unknown>[] = []
  const begun = createCounter()
  const received = createCounter()
  const server = createServer((request, response) => {
    if (answersPreflight(request, response)) return
    begun.add()
    void buffer(request).then(
      (body) => {
        const { method = '', url = '', headers } = request
        connections.push(response.socket)
        closed.push(once(response, 'close'))
        seen.push({ method, url, headers, body: body.toString() })
        received.add()
        return stepOf(steps, seen.length)?.(response)
      },
      // The client has disconnected; the row checks its own error.
      () => undefined,
    )
  })
  acceptUpgrades(server, (request, socket, upgrade) => {
    connections.push(socket)
    closed.push(once(socket, 'close'))
    seen.push(request)
    begun.add()
    received.add()
    stepOf(sockets, seen.length)?.(upgrade)
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
      connections[number - 1]?.end()
    },
    async stop() {
      if (!server.listening) return
      const ended = once(server, 'close')
      server.close()
      server.closeAllConnections()
      // The server no longer tracks upgraded connections.
      for (const connection of connections) connection?.destroy()
      await ended
    },
  }
}
