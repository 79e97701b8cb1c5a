import type { IncomingMessage, ServerResponse } from 'node:http'
import { keepEndToEnd } from './end-to-end.ts'

export const EXCHANGE_OUTCOMES = ['answered', 'caller_left', 'primary_failed'] as const
export type ExchangeOutcome = (typeof EXCHANGE_OUTCOMES)[number]

/** Follows an exchange while it passes through. It may copy, and has to return at once: the exchange does not wait for it. */
export interface Watcher {
  onRequestData(chunk: Buffer): void
  onAnswer(status: number): void
  onAnswerData(chunk: Buffer): void
  /** Called once, as the last. */
  onEnd(outcome: ExchangeOutcome): void
}

/** A request on its way to the primary, and its answer on the way back. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly watcher: Watcher | null
  /** Path and query at the primary. */
  readonly path: string
  /** Whether it is over, one way or another. */
  isOver: boolean
}

/** Carries requests to the primary, and its answers back. */
export interface Transport {
  carry(exchange: Exchange): void
  close(): Promise<void>
}

export interface TransportSettings {
  readonly primary: URL
  /** Connections in use at a time; more requests wait. */
  readonly maxConnections: number
  /** Longest wait for the head of an answer, and between two parts of its body. */
  readonly idleTimeoutMs: number
}

/** Ends an exchange, the first time that it is called. */
export function end(exchange: Exchange, outcome: ExchangeOutcome): void {
  if (exchange.isOver) return
  exchange.isOver = true
  exchange.watcher?.onEnd(outcome)
}

/** Calls `abort` if the caller leaves before the whole answer was written. */
export function onCallerLeft(exchange: Exchange, abort: () => void): void {
  exchange.response.once('close', () => {
    if (exchange.isOver) return
    end(exchange, 'caller_left')
    abort()
  })
}

/** Lets the watcher see the body of a request, which its transport is going to read. */
export function watchRequest({ request, watcher }: Exchange): void {
  if (watcher === null) return
  // Paused before it is listened to, so no byte arrives before the transport listens as well.
  request.pause()
  request.on('data', (chunk: Buffer) => watcher.onRequestData(chunk))
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

/** Returns the headers for the primary: the caller's own, and the caller's address. */
export function headersFor({ headers, socket, rawHeaders }: IncomingMessage, primary: URL): string[] {
  const before = headers['x-forwarded-for']
  const caller = socket.remoteAddress ?? 'unknown'
  return [
    'Host',
    primary.host,
    ...keepEndToEnd(rawHeaders, ['host', 'expect', 'x-forwarded-for']),
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
  // The answer has the date of the primary, or none.
  response.sendDate = false
  response.writeHead(status, reason, keepEndToEnd(rawHeaders))
  watcher?.onAnswer(status)
}

/** Ends an answer with the trailers that the primary sent. */
export function endAnswer(exchange: Exchange, rawTrailers: readonly string[]): void {
  const { response } = exchange
  const pairs: [name: string, value: string][] = []
  for (let i = 0; i < rawTrailers.length; i += 2) pairs.push([rawTrailers[i] ?? '', rawTrailers[i + 1] ?? ''])
  if (pairs.length > 0) response.addTrailers(pairs)
  end(exchange, 'answered')
  response.end()
}
