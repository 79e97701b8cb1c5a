import type { Readable } from 'node:stream'
import { type Dispatcher, Pool } from 'undici'
import { answerFailure } from './answer-failure.ts'
import {
  endAnswer,
  type Exchange,
  hasBody,
  headersFor,
  type Transport,
  type TransportSettings,
  watchRequest,
  writeHead,
} from './exchange.ts'

/** Keeps unused connections for less than servers usually do: one that the server closes meanwhile would cost a request. */
const KEEP_ALIVE_MS = 4000
/** More than any refusal has. */
const MOST_HELD_BYTES = 65_536

/** Carries requests over a pool of connections; all but those that wait for a 100, which undici refuses over HTTP/1.1. */
export function createPooledTransport({
  target,
  maxConnections,
  idleTimeoutMs,
}: TransportSettings): Transport {
  const pool = new Pool(target.origin, {
    connections: maxConnections,
    // Others would wait behind a submission of 50 MB.
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
  })
  return {
    carry: (exchange) => carry(exchange, pool, target),
    close: () => pool.destroy(),
  }
}

/** An answer while it is kept back. */
interface Collected {
  status: number
  reason: string
  rawHeaders: string[]
  chunks: Buffer[]
  bytes: number
}

function carry(exchange: Exchange, pool: Pool, target: URL): void {
  const { request, response, watcher } = exchange
  let held: Collected | null = null

  function passOn(chunk: Buffer, controller: Dispatcher.DispatchController): void {
    watcher?.onAnswerData(chunk)
    if (response.write(chunk)) return
    controller.pause()
    response.once('drain', () => controller.resume())
  }

  pool.dispatch(
    {
      path: exchange.path,
      method: request.method ?? 'GET',
      headers: headersFor(exchange, target),
      body: bodyOf(exchange),
    },
    {
      onRequestStart(controller) {
        exchange.abort = () => controller.abort(new Error('The request is given up'))
        if (exchange.outcome !== null) exchange.abort()
      },
      onResponseStart(controller, status, headers, reason = '') {
        const rawHeaders = readRaw(controller.rawHeaders)
        if (status < 200) {
          if (headers['link'] !== undefined) response.writeEarlyHints({ link: headers['link'] })
        } else if (exchange.holding?.wants(status) === true)
          held = { status, reason, rawHeaders, chunks: [], bytes: 0 }
        else writeHead(exchange, status, reason, rawHeaders)
      },
      onResponseData(controller, chunk) {
        if (held === null) return passOn(chunk, controller)
        held.chunks.push(chunk)
        held.bytes += chunk.length
        if (held.bytes <= MOST_HELD_BYTES) return
        writeHead(exchange, held.status, held.reason, held.rawHeaders)
        passOn(Buffer.concat(held.chunks), controller)
        held = null
      },
      onResponseEnd(controller) {
        if (held === null) endAnswer(exchange, readRaw(controller.rawTrailers))
        else exchange.holding?.onHeld({ ...held, body: Buffer.concat(held.chunks) })
      },
      onResponseError() {
        if (exchange.holding === null || response.headersSent) answerFailure(exchange)
        else exchange.holding.onFailed()
      },
    },
  )
}

function bodyOf(exchange: Exchange): Readable | Buffer | null {
  if (exchange.substitute !== null) return exchange.substitute.body
  if (!hasBody(exchange.request)) return null
  watchRequest(exchange)
  return exchange.request
}

/** Headers as Node has them: one character a byte. */
const readRaw = (raw: Dispatcher.DispatchController['rawHeaders']): string[] =>
  Array.isArray(raw) ? raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1'))) : []
