import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { startPrism } from './prism.ts'
import type { Exchange } from './record-exchanges.ts'
import { readViolations, type Violation } from './violations.ts'

/** Addresses for replaying recorded exchanges to Prism. */
export interface ReplayAddress {
  readonly prismUrl: string
  /** The server behind Prism, which returns recorded responses. */
  readonly upstreamUrl: string
}

export interface Replay extends AsyncDisposable {
  readonly address: ReplayAddress
  /** The sum of all reported tallies. */
  readonly total: Tally
}

/** Numbers of exchanges by outcome. */
export type Tally = Readonly<Record<string, number>>

const ID_HEADER = 'x-exchange-id'
/** Header with the status and headers of a recorded response; its body is the body of the request. */
const ANSWER_HEADER = 'x-recorded-answer'
// These are not routes of the document, so Prism forwards neither.
const ANSWERS_PATH = '/recorded-answers'
const TALLIES_PATH = '/tallies'

const answerSchema = z.object({ status: z.number(), headers: z.array(z.tuple([z.string(), z.string()])) })
type RecordedAnswer = z.infer<typeof answerSchema> & { readonly body: Buffer }
const tallySchema = z.record(z.string(), z.number())

/** Headers of the connection, not of the message. */
const HOP_HEADERS = ['connection', 'content-length', 'expect', 'host', 'keep-alive', 'transfer-encoding']
/** Prism takes a millisecond for most exchanges, but hangs on some that it cannot read. */
const SHOWN_WITHIN_MS = 300_000

/**
 * Starts Prism as a validating proxy in front of a server that returns recorded responses. This validates exchanges after the
 * fact, including those that Prism would distort between client and server.
 */
export async function startReplay(): Promise<Replay> {
  await using held = new AsyncDisposableStack()
  const answers = new Map<string, RecordedAnswer>()
  const total: Record<string, number> = {}
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const id = String(request.headers[ID_HEADER])
    if (request.url === ANSWERS_PATH) {
      const recorded = answerSchema.parse(JSON.parse(String(request.headers[ANSWER_HEADER])))
      answers.set(id, { ...recorded, body })
      response.writeHead(204).end()
    } else if (request.url === TALLIES_PATH) {
      for (const [name, count] of Object.entries(tallySchema.parse(JSON.parse(String(body)))))
        total[name] = (total[name] ?? 0) + count
      response.writeHead(204).end()
    } else {
      const recorded = answers.get(id)
      if (!recorded) throw new Error('Prism requested an exchange that was not replayed')
      answers.delete(id)
      response.writeHead(recorded.status, [...recorded.headers.flat(), ID_HEADER, id]).end(recorded.body)
    }
  }
  const upstream = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  // Prism keeps connections alive, and responds with 500 if one closes just as it is reused.
  upstream.keepAliveTimeout = 0
  held.defer(() => {
    upstream.close()
    upstream.closeAllConnections()
  })
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const prism = held.use(await startPrism({ upstream: upstreamUrl }))
  const resources = held.move()
  return {
    address: { prismUrl: prism.url, upstreamUrl },
    total,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/**
 * Replays an exchange to Prism and returns the violations that it reports.
 *
 * @throws Error if Prism does not forward the request, or finds more violations than it can report
 */
export async function showExchange(
  { prismUrl, upstreamUrl }: ReplayAddress,
  exchange: Exchange,
): Promise<Violation[]> {
  const id = randomUUID()
  const signal = AbortSignal.timeout(SHOWN_WITHIN_MS)
  const answer = JSON.stringify({ status: exchange.status, headers: [...withoutHops(exchange.headers)] })
  await putTo(upstreamUrl + ANSWERS_PATH, {
    headers: { [ID_HEADER]: id, [ANSWER_HEADER]: answer },
    body: exchange.body,
    signal,
  })
  const headers = withoutHops(exchange.requestHeaders)
  headers.set(ID_HEADER, id)
  const response = await fetch(prismUrl + exchange.path, {
    method: exchange.method,
    headers,
    redirect: 'manual',
    signal,
    ...(exchange.requestBody.length > 0 && { body: exchange.requestBody }),
  })
  if (response.headers.get(ID_HEADER) !== id)
    throw new Error(`Prism responded by itself, ${response.status}: ${await response.text()}`)
  await response.body?.cancel()
  return readViolations(response.headers)
}

/** Adds a tally to the total of the run. */
export const reportTally = ({ upstreamUrl }: ReplayAddress, tally: Tally): Promise<void> =>
  putTo(upstreamUrl + TALLIES_PATH, { body: JSON.stringify(tally) })

async function putTo(url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, { ...init, method: 'PUT' })
  if (!response.ok) throw new Error(await response.text())
}

function withoutHops(headers: Headers): Headers {
  const kept = new Headers(headers)
  for (const name of HOP_HEADERS) kept.delete(name)
  return kept
}
