/**
 * Sends the requests in a file with undici, each on its own connection, and prints the results. Runs in its own process, because
 * everything that a test process sends through undici is recorded and shown to Prism.
 */
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request as send } from 'undici'
import { bytesOf, LIMIT_MS, PAUSE_MS, piecesOf, type WireRequest, type WireResult } from './wire-request.ts'

const [file = '', pipelining = '1'] = process.argv.slice(2).toReversed()

async function* bodyOf(request: WireRequest): AsyncGenerator<Buffer> {
  for (const piece of piecesOf(request)) {
    if (request.isSlow) await delay(PAUSE_MS)
    if (piece.length > 0) yield piece
  }
}

async function call(request: WireRequest, dispatcher: Agent): Promise<WireResult> {
  const { name, url, method, headers, isChunked, nextUrl } = request
  const length = isChunked ? {} : { 'content-length': String(bytesOf(request)) }
  const answer = await send(url, {
    dispatcher,
    method,
    headers: { ...headers, ...length },
    body: Readable.from(bodyOf(request)),
  })
  const body = await answer.body.text()
  const next = await send(nextUrl, { dispatcher })
  await next.body.dump()
  return { name, status: answer.statusCode, body, nextStatus: next.statusCode }
}

const results: WireResult[] = []
for (const request of JSON.parse(readFileSync(file, 'utf8')) as WireRequest[]) {
  const limits = { headersTimeout: LIMIT_MS, bodyTimeout: LIMIT_MS }
  const agent = new Agent({ connections: 1, pipelining: Number(pipelining), ...limits })
  results.push(
    await call(request, agent).catch((error: unknown) => ({ name: request.name, failure: String(error) })),
  )
  await agent.destroy()
}
process.stdout.write(JSON.stringify(results))
