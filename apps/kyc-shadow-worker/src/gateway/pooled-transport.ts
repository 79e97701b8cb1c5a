import { type Dispatcher, Pool } from 'undici'
import { answerFailure } from './answer-failure.ts'
import {
  endAnswer,
  type Exchange,
  hasBody,
  headersFor,
  onCallerLeft,
  type Transport,
  type TransportSettings,
  watchRequest,
  writeHead,
} from './exchange.ts'

/** Keeps unused connections for less than servers usually do: one that the server closes meanwhile would cost a request. */
const KEEP_ALIVE_MS = 4000

/** Carries requests over a pool of connections; all but those that wait for a 100, which undici refuses over HTTP/1.1. */
export function createPooledTransport({
  primary,
  maxConnections,
  idleTimeoutMs,
}: TransportSettings): Transport {
  const pool = new Pool(primary.origin, {
    connections: maxConnections,
    // Others would wait behind a submission of 50 MB.
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
  })
  return {
    carry: (exchange) => carry(exchange, pool, primary),
    close: () => pool.destroy(),
  }
}

function carry(exchange: Exchange, pool: Pool, primary: URL): void {
  const { request, response, watcher } = exchange
  const body = hasBody(request) ? request : null
  if (body !== null) watchRequest(exchange)
  pool.dispatch(
    { path: exchange.path, method: request.method ?? 'GET', headers: headersFor(request, primary), body },
    {
      onRequestStart: (controller) =>
        onCallerLeft(exchange, () => controller.abort(new Error('The caller left'))),
      onResponseStart(controller, status, headers, reason = '') {
        if (status >= 200) writeHead(exchange, status, reason, readRaw(controller.rawHeaders))
        else if (headers['link'] !== undefined) response.writeEarlyHints({ link: headers['link'] })
      },
      onResponseData(controller, chunk) {
        watcher?.onAnswerData(chunk)
        if (response.write(chunk)) return
        controller.pause()
        response.once('drain', () => controller.resume())
      },
      onResponseEnd: (controller) => endAnswer(exchange, readRaw(controller.rawTrailers)),
      onResponseError: () => answerFailure(exchange),
    },
  )
}

/** Headers as Node has them: one character a byte. */
const readRaw = (raw: Dispatcher.DispatchController['rawHeaders']): string[] =>
  Array.isArray(raw) ? raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1'))) : []
