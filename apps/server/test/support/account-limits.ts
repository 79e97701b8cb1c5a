import { once } from 'node:events'
import { connect } from 'node:net'
import type { Id } from '@vaani/contracts'
import type { TestServer } from './test-server.ts'
import { pendingRow } from './verification-rows.ts'

/** Sends a request without its body and returns the first bytes of the response. */
export async function sendHead(
  { url }: TestServer,
  { route, key, contentType }: { route: string; key: string; contentType: string },
) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const headers = [
    `POST ${route} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${key}`,
    `content-type: ${contentType}`,
    'content-length: 1000',
  ]
  socket.write(`${headers.join('\r\n')}\r\n\r\n`)
  return { socket, answer: once(socket, 'data').then(([data]) => String(data)) }
}

/** Inserts a verification in its state right after submission. */
export async function insertPending(
  { context }: TestServer,
  row: { accountId: Id<'account'>; livemode?: boolean; externalId?: string },
): Promise<string> {
  const verificationId = context.makeId('verification')
  const { accountId, livemode = false, externalId = null } = row
  await context.identity.store.create(
    pendingRow({
      verification_id: verificationId,
      account_id: accountId,
      livemode,
      external_id: externalId,
      created_at: new Date(context.clock.nowMs()),
    }),
    [],
    () => Promise.resolve(),
  )
  return verificationId
}
