/**
 * Sends the requests in a file with `fetch`, one after another, and prints the results. Plain JavaScript that runs in Node 20
 * and later, Bun and Deno.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'

const LIMIT_MS = 60_000
const PIECES = 16
const PAUSE_MS = 4
const encoder = new TextEncoder()

function* piecesOf({ head, fillBytes, tail }) {
  yield encoder.encode(head)
  const pieceBytes = Math.max(1, Math.ceil(fillBytes / PIECES))
  for (let left = fillBytes; left > 0; left -= pieceBytes)
    yield new Uint8Array(Math.min(left, pieceBytes)).fill(65)
  yield encoder.encode(tail)
}

function bodyOf(request) {
  if (!request.isChunked) return new Blob([...piecesOf(request)])
  const pieces = piecesOf(request)
  return new ReadableStream({
    async pull(controller) {
      if (request.isSlow) await delay(PAUSE_MS)
      const { done, value } = pieces.next()
      if (done) controller.close()
      else if (value.length > 0) controller.enqueue(value)
      else await this.pull(controller)
    },
  })
}

async function send(request) {
  const { url, method, headers, nextUrl } = request
  const signal = AbortSignal.timeout(LIMIT_MS)
  const answer = await fetch(url, { method, headers, body: bodyOf(request), duplex: 'half', signal })
  const body = await answer.text()
  const next = await fetch(nextUrl, { signal: AbortSignal.timeout(LIMIT_MS) })
  await next.text()
  return { status: answer.status, body, nextStatus: next.status }
}

const results = []
for (const request of JSON.parse(readFileSync(process.argv[2], 'utf8')))
  results.push({
    name: request.name,
    ...(await send(request).catch((error) => ({ failure: `${error}, ${error.cause}` }))),
  })
process.stdout.write(JSON.stringify(results), () => process.exit(0))
