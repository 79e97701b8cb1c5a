import { createServer } from 'node:http'
import { once } from 'node:events'
import { createSigner, createTestDelivery, createVerifier } from '@vaani/webhook-verifier'
import { expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { createHandOn, createRelay } from './relay.ts'
import { startReceiver } from './receiver.ts'

const event = { event_id: 'evt_1', type: 'call.completed', data: {} }
const SECRET = 'secret of the endpoint'
const OWN_SECRET = 'secret of the program'

const relayTo = (forwardTo: string, changes: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  createRelay({
    secret: SECRET,
    clock: systemClock,
    handOn: createHandOn({
      forwardTo,
      signer: createSigner({ secrets: OWN_SECRET }),
      timeoutMs: 5000,
      clock: systemClock,
      fetch,
      signal: new AbortController().signal,
      ...changes,
    }),
  })

/** Starts a program that receives webhooks and never responds. */
async function startSilent() {
  const server = createServer(() => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const delivery = async (secret = SECRET) => {
  const { body, headers } = await createTestDelivery(event, { secrets: secret })
  return { body: Buffer.from(body), headers }
}

test('forwards the same bytes, signed with the other secret', async () => {
  const verifier = createVerifier({ secrets: OWN_SECRET, requireTimestamp: true })
  const results: unknown[] = []
  await using program = await startReceiver(0, async ({ body, headers }) => {
    results.push(await verifier.verify(body, headers))
    return 202
  })
  const relayed = await relayTo(program.url)(await delivery())
  expect(relayed).toMatchObject({ type: 'delivery', event_id: 'evt_1', status: 202, error: null })
  expect(results).toMatchObject([{ ok: true, event, id: 'evt_1' }])
})

test('forwards nothing that the service has not signed', async () => {
  const relayed = await relayTo('http://127.0.0.1:1')(await delivery('another secret'))
  expect(relayed).toEqual({ type: 'refused', code: 'signature_mismatch' })
})

test('reports why a program does not respond', async () => {
  await using program = await startSilent()
  expect(await relayTo(program.url, { timeoutMs: 10 })(await delivery())).toMatchObject({
    error: 'timed_out',
  })
  await program[Symbol.asyncDispose]()
  expect(await relayTo(program.url)(await delivery())).toMatchObject({ status: null, error: 'ECONNREFUSED' })
})

test('waits no longer than its timeout', async () => {
  await using program = await startSilent()
  const interruption = new AbortController()
  const relayed = relayTo(program.url, { signal: interruption.signal })(await delivery())
  interruption.abort(new Error('enough'))
  await expect(relayed).rejects.toThrow('enough')
})

test('a body larger than any webhook is rejected and not forwarded', async () => {
  const taken: number[] = []
  await using receiver = await startReceiver(0, async ({ body }) => {
    taken.push(body.length)
    return 204
  })
  const post = (bytes: number) => fetch(receiver.url, { method: 'POST', body: new Uint8Array(bytes) })
  expect((await post(1_048_576)).status).toBe(204)
  expect((await fetch(receiver.url)).status).toBe(405)
  // The connection may be closed before everything was sent, and the response is lost with it.
  const refused = await post(1_048_577).catch(() => undefined)
  if (refused !== undefined) expect(refused.status).toBe(413)
  expect((await post(1)).status).toBe(204)
  expect(taken).toEqual([1_048_576, 1])
})
