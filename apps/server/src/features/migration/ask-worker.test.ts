import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createAskWorker } from './ask-worker.ts'

let answer: (request: IncomingMessage, response: ServerResponse) => void
const worker = createServer((request, response) => answer(request, response))
let url: URL
beforeAll(async () => {
  worker.listen(0, '127.0.0.1')
  await once(worker, 'listening')
  const address = worker.address()
  if (address === null || typeof address === 'string') throw new Error('The worker has no address')
  url = new URL(`http://127.0.0.1:${address.port}`)
})
afterAll(() => void worker.close())

const READ = { method: 'GET', target: '/migration', answer: z.object({ stage: z.literal('off') }) }

/** Asks a worker that answers so. */
function askFor(status: number, text: string, headers: Record<string, string> = {}): Promise<unknown> {
  answer = (_, response) => response.writeHead(status, headers).end(text)
  return createAskWorker({ url, apiKey: 'sk_secret' })(READ)
}

const refusal = (code: string, param: string | null = null) =>
  JSON.stringify({ error: { code, message: 'Because', type: 'x', param, request_id: 'req_1' } })

test('sends the key and the body, and returns what the worker says', async () => {
  const seen: unknown[] = []
  answer = async (request, response) => {
    const chunks = await request.toArray()
    seen.push([request.method, request.url, request.headers.authorization, String(Buffer.concat(chunks))])
    response.end('{"stage":"off"}')
  }
  const ask = createAskWorker({ url, apiKey: 'sk_secret' })
  const change = { ...READ, method: 'PUT', target: '/migration/stage?a=1', body: { stage: 'off' } }
  expect(await ask(change)).toEqual({ stage: 'off' })
  expect(seen).toEqual([['PUT', '/migration/stage?a=1', 'Bearer sk_secret', '{"stage":"off"}']])
})

test('hands on a refusal, with its field', async () => {
  await expect(askFor(409, refusal('state_conflict'))).rejects.toMatchObject({
    code: 'state_conflict',
    message: 'Because',
  })
  await expect(askFor(404, refusal('not_found', 'pair_id'))).rejects.toMatchObject({
    code: 'not_found',
    param: 'pair_id',
  })
})

test.each([
  [401, refusal('unauthorized'), 'The worker of the migration refuses VAANI_MIGRATION_API_KEY'],
  [403, refusal('forbidden'), 'The worker of the migration refuses VAANI_MIGRATION_API_KEY'],
  [503, refusal('service_unavailable'), 'The worker of the migration has failed'],
  [200, '<html>', 'The worker of the migration has failed'],
  [
    200,
    '{"stage":"of a later version"}',
    'The worker of the migration gives answers that this server does not know: are both of one version?',
  ],
  [404, '<html>', 'The worker of the migration has failed'],
  [400, refusal('a_code_of_somebody_else'), 'The worker of the migration has failed'],
  [302, '', 'The worker of the migration has failed'],
])('an answer of %i, %s is no fault of the caller', async (status, text, message) => {
  // Followed, it would hand the key to another host.
  const headers = { location: 'http://127.0.0.1:1/' }
  await expect(askFor(status, text, headers)).rejects.toMatchObject({ code: 'service_unavailable', message })
})

test('a worker that is gone is said to be so, without its key', async () => {
  const ask = createAskWorker({ url: new URL('http://127.0.0.1:1'), apiKey: 'sk_secret' })
  const error: unknown = await ask(READ).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({
    code: 'service_unavailable',
    message: 'The worker of the migration does not answer',
  })
  expect(String(error)).not.toContain('sk_secret')
})
