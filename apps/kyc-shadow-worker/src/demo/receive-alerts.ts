import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type MigrationEvent, migrationEventSchema } from '@vaani/contracts/migration'
import { createVerifier } from '@vaani/webhook-verifier'

const MAX_BYTES = 1_048_576

/** Stands in for the service that wakes the person on call. */
export interface AlertReceiver extends AsyncDisposable {
  readonly url: string
}

/** Receives the alerts of the worker. Those whose signature is not genuine are refused. */
export async function receiveAlerts(
  secret: string,
  onAlert: (event: MigrationEvent) => void,
): Promise<AlertReceiver> {
  const verifier = createVerifier({ secrets: secret })
  async function accept(request: IncomingMessage): Promise<number> {
    if (Number(request.headers['content-length'] ?? MAX_BYTES + 1) > MAX_BYTES) return 413
    const body = await buffer(request)
    const { ok } = await verifier.verify(body, request.headers)
    if (!ok) return 401
    const event = migrationEventSchema.safeParse(JSON.parse(body.toString('utf8')))
    if (event.success) onAlert(event.data)
    return event.success ? 204 : 400
  }
  const server = createServer((request, response) => {
    void accept(request)
      .catch(() => 400)
      .then((status) => response.writeHead(status).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The receiver has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}
