import { subscribe, unsubscribe } from 'node:diagnostics_channel'

/** A request and its complete response, as sent over the wire. */
export interface Exchange {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly requestHeaders: Headers
  readonly requestBody: Buffer<ArrayBuffer>
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer<ArrayBuffer>
}

export interface Recording {
  readonly exchanges: readonly Exchange[]
  /** Stops recording. Requests without a complete response are only counted. */
  stop(): { readonly cutShort: number }
}

/** The response to the upgrade of a WebSocket, which Node 24.22 publishes too. No response follows, and nobody can replay it. */
const SWITCHING_PROTOCOLS = 101

type Chunk = Uint8Array | string

interface PublishedRequest {
  readonly method: string
  readonly path: string
  /** Alternating names and values. */
  readonly headers: readonly string[]
}

/** https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md */
interface Published {
  readonly request: PublishedRequest
  readonly chunk?: Chunk
  readonly response?: { readonly statusCode: number; readonly headers: readonly Buffer[] }
}

interface RunningExchange {
  readonly sent: Chunk[]
  readonly received: Chunk[]
  answer?: Published['response']
}

const isPublished = (message: unknown): message is Published =>
  typeof message === 'object' && message !== null && 'request' in message

/**
 * Records the exchanges of every `fetch` in this process without affecting them: no request is rerouted, and no stream is
 * read earlier.
 *
 * @example
 * const recording = recordExchanges()
 * await fetch(url)
 * recording.stop()
 */
export function recordExchanges(): Recording {
  const running = new Map<PublishedRequest, RunningExchange>()
  const exchanges: Exchange[] = []
  const events: Readonly<Record<string, (message: Published, exchange: RunningExchange) => void>> = {
    create: ({ request }, exchange) => running.set(request, exchange),
    bodyChunkSent: ({ chunk = '' }, { sent }) => sent.push(chunk),
    headers: ({ response }, exchange) => {
      exchange.answer = response
    },
    bodyChunkReceived: ({ chunk = '' }, { received }) => received.push(chunk),
    trailers: ({ request }, { sent, received, answer }) => {
      if (!running.delete(request) || !answer || answer.statusCode === SWITCHING_PROTOCOLS) return
      exchanges.push({
        method: request.method,
        path: request.path,
        requestHeaders: readHeaders(request.headers),
        requestBody: join(sent),
        status: answer.statusCode,
        headers: readHeaders(answer.headers.map((bytes) => bytes.toString('latin1'))),
        body: join(received),
      })
    },
  }
  const channels = Object.entries(events).map(([name, handle]) => ({
    name: `undici:request:${name}`,
    listen(message: unknown): void {
      if (isPublished(message)) handle(message, running.get(message.request) ?? { sent: [], received: [] })
    },
  }))
  for (const { name, listen } of channels) subscribe(name, listen)
  return {
    exchanges,
    stop() {
      for (const { name, listen } of channels) unsubscribe(name, listen)
      return { cutShort: running.size }
    },
  }
}

const join = (chunks: readonly Chunk[]): Buffer<ArrayBuffer> =>
  Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))

function readHeaders(list: readonly string[]): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < list.length; at += 2) headers.append(list[at] ?? '', list[at + 1] ?? '')
  return headers
}
