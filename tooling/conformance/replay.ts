import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { startPrism } from './prism.ts'
import type { Exchange } from './record-exchanges.ts'
import { readViolations, type Violation } from './violations.ts'

/** Where recorded exchanges are shown to Prism. */
export interface ReplayAddress {
  readonly prismUrl: string
  /** What Prism takes for the server. */
  readonly upstreamUrl: string
}

export interface Replay extends AsyncDisposable {
  readonly address: ReplayAddress
  /** The sum of what was reported. */
  readonly total: Tally
}

/** Numbers of exchanges by what became of them. */
export type Tally = Readonly<Record<string, number>>

const ID_HEADER = 'x-exchange-id'
/** Status and headers of a recorded answer, whose body is that of the request. */
const ANSWER_HEADER = 'x-recorded-answer'
// No routes of the document, so Prism passes neither on.
const ANSWERS_PATH = '/recorded-answers'
const TALLIES_PATH = '/tallies'

const answerSchema = z.object({ status: z.number(), headers: z.array(z.tuple([z.string(), z.string()])) })
type RecordedAnswer = z.infer<typeof answerSchema> & { readonly body: Buffer }
const tallySchema = z.record(z.string(), z.number())

/** Of the connection they came over, and not of the message. */
const HOP_HEADERS = ['connection', 'content-length', 'expect', 'host', 'keep-alive', 'transfer-encoding']
/** Prism takes a millisecond for most, and never ends some that it cannot read. */
const SHOWN_WITHIN_MS = 10_000

/**
 * Prism as a validating proxy in front of a server that answers what was recorded: exchanges that are over can be
 * shown to it, also those that Prism would distort between client and server.
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
      if (!recorded) throw new Error('Prism asks for an exchange that it was not shown')
      answers.delete(id)
      response.writeHead(recorded.status, [...recorded.headers.flat(), ID_HEADER, id]).end(recorded.body)
    }
  }
  const upstream = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  // Prism keeps connections, and answers 500 if one is closed just as it is used again.
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
 * What Prism finds in an exchange.
 *
 * @throws Error where Prism does not pass it on, or finds more than it can tell
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
    throw new Error(`Prism answered by itself, ${response.status}: ${await response.text()}`)
  await response.body?.cancel()
  return readViolations(response.headers)
}

/** Adds to the total of a run. */
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
