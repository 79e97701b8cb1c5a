import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { startHttpServer } from './http-server.ts'
import { seededRandom } from './seeded-random.ts'

/** What may happen to one request on its way. */
export const FAULTS = {
  latency: 'It is passed on after a wait of `latencyMs`.',
  unavailable: 'It never reaches the server; the proxy answers 503 with `Retry-After: 0`.',
  reset: 'It never reaches the server; the connection is reset.',
  'lost answer': 'The server does it; the connection is reset in place of the answer.',
  'bad gateway': 'The server does it; the proxy answers 502 in place of the answer.',
  truncation: 'The server answers; the connection ends after half of the body.',
  stall: 'The server answers; after half of the body nothing comes any more.',
} as const satisfies Readonly<Record<string, string>>
export type Fault = keyof typeof FAULTS

/** How often each fault happens, from 0 to 1; together 1 at most. */
export type FaultRates = { readonly [fault in Fault]?: number }

/** One request that went through, or did not. */
export interface SeenRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly fault: Fault | null
}

export interface FaultProxy extends AsyncDisposable {
  /** In place of the server's address. */
  readonly url: string
  /** In the order in which they came. */
  readonly seen: readonly SeenRequest[]
  /** What happens to the next requests, one each, `null` for nothing; those after them go by the rates. */
  plan(...faults: readonly (Fault | null)[]): void
  /** From now on. */
  setRates(rates: FaultRates): void
}

export interface FaultProxyOptions {
  /** Of the server, as in `http://127.0.0.1:8080`; only `http:`. */
  readonly target: string
  /** Default: no fault that is not planned. */
  readonly rates?: FaultRates
  /** Draws the faults: the same seed and order of requests, the same faults. Default 1. */
  readonly seed?: number
  /** Of the fault `latency`, in ms. Default 100. */
  readonly latencyMs?: number
}

/** Of a connection, and not of the message that goes over it (RFC 9110, 7.6.1). */
const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']

/**
 * Stands between a client and a server over HTTP, and does to requests what networks do.
 *
 * @throws RangeError if the rates are not rates; TypeError if the target is not an `http:` address
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
    // The server has gone, or the client, or this proxy: the other end sees its connection end.
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
    throw new RangeError('The rates of faults are from 0 to 1, and together 1 at most')
  return rates
}

/** Gives the server's answer to the client, or what the fault leaves of it. */
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
