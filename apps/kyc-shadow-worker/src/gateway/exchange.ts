import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { keepEndToEnd } from './end-to-end.ts'
import { freeEarly } from './free-early.ts'

/** `refused`: by the gateway, because the request is not well-formed HTTP or asks for what a gateway has not. */
export const EXCHANGE_OUTCOMES = ['answered', 'caller_left', 'primary_failed', 'refused'] as const
export type ExchangeOutcome = (typeof EXCHANGE_OUTCOMES)[number]

/** Follows an exchange while it passes through. It may copy, and has to return at once: the exchange does not wait for it. */
export interface Watcher {
  onRequestData(chunk: Buffer): void
  /** The whole body has passed. */
  onRequestEnd(): void
  onAnswer(status: number): void
  onAnswerData(chunk: Buffer): void
  /** Called once, as the last. */
  onEnd(outcome: ExchangeOutcome): void
}

/** Sent in place of what the caller sent. */
export interface Substitute {
  readonly body: Readable | Buffer | null
  /** Names and values by turns. */
  readonly headers: readonly string[]
  /** Lower-case names of the caller's headers that no longer hold. */
  readonly drops: readonly string[]
}

/** A small answer that is kept in memory. */
export interface HeldAnswer {
  readonly status: number
  readonly reason: string
  /** Names and values by turns. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

/** Keeps answers back, to decide what to do with them. Those that turn out to be large are passed on. */
export interface Holding {
  wants(status: number): boolean
  onHeld(answer: HeldAnswer): void
  /** No whole answer came, and nothing was passed on. */
  onFailed(): void
}

/** A request on its way to a deployment, and its answer on the way back. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly watcher: Watcher | null
  /** Path and query at the deployment. */
  path: string
  substitute: Substitute | null
  holding: Holding | null
  /** Gives the request to the deployment up. */
  abort: () => void
  /** How it ended; null until then. */
  outcome: ExchangeOutcome | null
}

/** Carries requests to a deployment, and its answers back. */
export interface Transport {
  carry(exchange: Exchange): void
  close(): Promise<void>
}

export interface TransportSettings {
  readonly target: URL
  /** Connections in use at a time; more requests wait. */
  readonly maxConnections: number
  /** Longest wait for the head of an answer, and between two parts of its body. */
  readonly idleTimeoutMs: number
}

/** Begins an exchange. If the caller leaves before the whole answer was written, it is over, and the request is given up. */
export function beginExchange(
  { request, response, path, watcher }: Pick<Exchange, 'request' | 'response' | 'path' | 'watcher'>,
  onEnd: (outcome: ExchangeOutcome) => void,
): Exchange {
  const exchange: Exchange = {
    request,
    response,
    path,
    watcher,
    substitute: null,
    holding: null,
    abort: () => undefined,
    outcome: null,
  }
  response.once('close', () => {
    if (exchange.outcome === null) {
      end(exchange, 'caller_left')
      exchange.abort()
    }
    onEnd(exchange.outcome ?? 'caller_left')
  })
  return exchange
}

/** Ends an exchange, the first time that it is called. */
export function end(exchange: Exchange, outcome: ExchangeOutcome): void {
  if (exchange.outcome !== null) return
  exchange.outcome = outcome
  exchange.watcher?.onEnd(outcome)
}

/** Lets the watcher see the body of a request, which is going to be read. */
export function watchRequest({ request, watcher }: Exchange): void {
  // Paused before it is listened to, so no byte arrives before its reader listens as well.
  request.pause()
  request.on('data', (chunk: Buffer) => {
    freeEarly(chunk)
    watcher?.onRequestData(chunk)
  })
  if (watcher !== null) request.once('end', () => watcher.onRequestEnd())
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Returns the path and query of a request, even if its target is a whole URL (RFC 9112, section 3.2.2); null for any other
 * target.
 */
export function pathOf({ url = '' }: IncomingMessage): string | null {
  if (url.startsWith('/')) return url
  const target = URL.parse(url)
  return target !== null && /^https?:$/.test(target.protocol) ? target.pathname + target.search : null
}

/** Returns the headers for a deployment: the caller's own, and the caller's address. */
export function headersFor({ request, substitute }: Exchange, target: URL): string[] {
  const { headers, socket, rawHeaders } = request
  const before = headers['x-forwarded-for']
  const caller = socket.remoteAddress ?? 'unknown'
  return [
    'Host',
    target.host,
    ...keepEndToEnd(rawHeaders, ['host', 'expect', 'x-forwarded-for', ...(substitute?.drops ?? [])]),
    ...(substitute?.headers ?? []),
    'X-Forwarded-For',
    before === undefined ? caller : `${String(before)}, ${caller}`,
  ]
}

/** Passes the head of an answer on. */
export function writeHead(
  { response, watcher }: Exchange,
  status: number,
  reason: string,
  rawHeaders: readonly string[],
): void {
  // The answer has the date of the deployment, or none.
  response.sendDate = false
  response.writeHead(status, reason, keepEndToEnd(rawHeaders))
  watcher?.onAnswer(status)
}

/** Ends an answer with the trailers that the deployment sent. */
export function endAnswer(exchange: Exchange, rawTrailers: readonly string[]): void {
  const { response } = exchange
  const pairs: [name: string, value: string][] = []
  for (let i = 0; i < rawTrailers.length; i += 2) pairs.push([rawTrailers[i] ?? '', rawTrailers[i + 1] ?? ''])
  if (pairs.length > 0) response.addTrailers(pairs)
  end(exchange, 'answered')
  response.end()
}

/** Passes a whole answer on, unless the caller has left. */
export function sendAnswer(exchange: Exchange, { status, reason, rawHeaders, body }: HeldAnswer): void {
  if (exchange.outcome !== null) return
  writeHead(exchange, status, reason, rawHeaders)
  exchange.watcher?.onAnswerData(body)
  exchange.response.write(body)
  endAnswer(exchange, [])
}
