import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { startHttpServer } from './http-server.ts'
import { seededRandom } from './seeded-random.ts'

/** Network faults that can affect one request. */
export const FAULTS = {
  latency: 'The request is forwarded after `latencyMs`.',
  unavailable: 'The request never reaches the server; the proxy responds with 503 and `Retry-After: 0`.',
  reset: 'The request never reaches the server; the connection is reset.',
  'lost answer': 'The server handles the request; the connection is reset instead of responding.',
  'bad gateway': 'The server handles the request; the proxy responds with 502.',
  truncation: 'The server responds; the connection ends after half of the body.',
  stall: 'The server responds; after half of the body nothing more arrives.',
} as const satisfies Readonly<Record<string, string>>
export type Fault = keyof typeof FAULTS

/** Probability of each fault, from 0 to 1; their sum is at most 1. */
export type FaultRates = { readonly [fault in Fault]?: number }

/** A request that reached the proxy. */
export interface SeenRequest {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly fault: Fault | null
}

export interface FaultProxy extends AsyncDisposable {
  /** Use it instead of the server's address. */
  readonly url: string
  /** In order of arrival. */
  readonly seen: readonly SeenRequest[]
  /** Sets the faults of the next requests, one each; `null` is none. Later requests follow the rates. */
  plan(...faults: readonly (Fault | null)[]): void
  /** Applies from the next request on. */
  setRates(rates: FaultRates): void
}

export interface FaultProxyOptions {
  /** Address of the server, such as `http://127.0.0.1:8080`; only `http:`. */
  readonly target: string
  /** Default: only planned faults. */
  readonly rates?: FaultRates
  /** Seed of the random faults: the same seed and order of requests give the same faults. Default 1. */
  readonly seed?: number
  /** Delay of the fault `latency`, in ms. Default 100. */
  readonly latencyMs?: number
}

/** Headers of the connection, not of the message (RFC 9110, 7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']

/**
 * Starts an HTTP proxy between a client and a server that injects network faults.
 *
 * @throws RangeError if the rates are invalid; TypeError if the target is not an `http:` address
 *
 * @example
 * await using proxy = await startFaultProxy({ target: vaani.url, seed: 7, rates: { reset: 0.1, 'lost answer': 0.1 } })
 * const client = new Vaani({ apiKey: vaani.key, baseUrl: proxy.url })
 */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { seed = 1, latencyMs = 100 } = options
  const target = new URL(options.target)
  if (target.protocol !== 'http:') throw new TypeError('The target must be an http: address')
  let rates = checkRates(options.rates ?? {})
  const random = seededRandom(seed)
  const planned: (Fault | null)[] = []
  const seen: SeenRequest[] = []
  const ended = new AbortController()

  function draw(): Fault | null {
    const drawn = random()
    let sum = 0
    for (const fault of faultNames) {
      sum += rates[fault] ?? 0
      if (drawn < sum) return fault
    }
    return null
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request
    const next = planned.shift()
    const fault = next === undefined ? draw() : next
    seen.push({ method, path, headers, fault })
    if (fault === 'reset') return (request.socket.resetAndDestroy(), undefined)
    if (fault === 'unavailable') {
      request.resume()
      return refuse(response, 503)
    }
    if (fault === 'latency') await delay(latencyMs, undefined, { signal: ended.signal })
    const upstream = sendRequest(target, { path, method, headers, signal: ended.signal })
    request.on('error', () => upstream.destroy())
    response.once('close', () => upstream.destroy())
    request.pipe(upstream)
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      upstream.once('response', resolve).once('error', reject),
    )
    await hand(answer, response, fault)
  }

  const server = await startHttpServer((request, response) => {
    // The server, the client or this proxy has closed: end the connection of the other side.
    pass(request, response).catch(() => response.destroy())
  })
  return {
    url: server.url,
    seen,
    plan: (...faults) => void planned.push(...faults),
    setRates: (next) => void (rates = checkRates(next)),
    async [Symbol.asyncDispose]() {
      ended.abort()
      await server[Symbol.asyncDispose]()
    },
  }
}

const faultNames = Object.keys(FAULTS) as Fault[]

function checkRates(rates: FaultRates): FaultRates {
  const all = Object.values(rates)
  const sum = all.reduce((total, rate) => total + rate, 0)
  if (!(all.every((rate) => rate >= 0) && sum <= 1 + Number.EPSILON))
    throw new RangeError('Fault rates must be from 0 to 1, and their sum at most 1')
  return rates
}

/** Forwards the server's response to the client, modified by the fault. */
async function hand(answer: IncomingMessage, response: ServerResponse, fault: Fault | null): Promise<void> {
  if (fault === 'lost answer') {
    await buffer(answer)
    response.socket?.resetAndDestroy()
    return
  }
  if (fault === 'bad gateway') {
    await buffer(answer)
    refuse(response, 502)
    return
  }
  const headers = Object.fromEntries(
    Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.includes(name)),
  )
  response.writeHead(answer.statusCode ?? 502, headers)
  response.flushHeaders()
  if (fault !== 'truncation' && fault !== 'stall') {
    answer.on('error', () => response.destroy())
    answer.pipe(response)
    return
  }
  const body = await buffer(answer)
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => {
    if (fault === 'truncation') response.destroy()
  })
}

const refuse = (response: ServerResponse, status: number): void =>
  void response.writeHead(status, { 'retry-after': '0' }).end()
