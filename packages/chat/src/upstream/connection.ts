import type { Dispatcher } from 'undici'
import { ChatError } from '../chat-error.ts'
import type { Endpoint } from '../endpoints.ts'
import type { ChatFile, ChatObject } from '../provider.ts'
import { decode } from './decode.ts'
import { encodeRequest } from './encode-request.ts'
import type { CheckedOptions } from './options.ts'
import { parseJson } from './parse-json.ts'
import { readRetryAfterMs, type Refusal, toRefusal } from './refusal.ts'
import { readFault } from './upstream-error.ts'

/** A failure before the first byte of an answer. */
export class RefusedError extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.error.message, { cause: refusal.error })
    this.refusal = refusal
  }
}

/** One request to a server. */
export interface Exchange {
  dispatcher: Dispatcher
  options: CheckedOptions
  /** Body; none if undefined. */
  request: ChatObject | undefined
  /** What is asked for instead of a chat. */
  endpoint?: Endpoint | undefined
  /** What is asked for instead of an endpoint. */
  target?: { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string } | undefined
  /** The file of an endpoint that takes a form. */
  file?: ChatFile | undefined
  signal: AbortSignal
}

/** Reason of an abort that nobody waits for. */
const LEFT = new ChatError('aborted', 'The answer is not read any further')
/** Bytes that are read of what a server says about an error. */
const MAX_FAULT_BYTES = 64 * 1024
/** One request under way. */
export interface Connection {
  /** Limits the waits from now on. */
  limit(ms: number, problem: string): void
  unlimit(): void
  /** Sends the request, and returns the response with status 200. @throws RefusedError */
  open(): Promise<{ mediaType: string; body: AsyncIterable<Uint8Array> }>
  /** The answer has begun: a failure from now on is final. */
  begin(): void
  explain(error: unknown): unknown
  /** The response was read to its end. */
  end(): void
  /** Closes the connection unless the response was read to its end. */
  close(): void
}

export function connect(exchange: Exchange): Connection {
  const { dispatcher, options, request, endpoint, file, signal } = exchange
  const { method, path } = exchange.target ?? { method: 'POST', path: endpoint ?? 'chat/completions' }
  const running = new AbortController()
  const onAbort = () => running.abort(signal.reason)
  let timer: NodeJS.Timeout | undefined
  let timedOut: ChatError | undefined
  let hasBegun = false
  let hasEnded = false
  signal.addEventListener('abort', onAbort, { once: true })

  return {
    limit(ms, problem) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        timedOut = new ChatError('provider_timed_out', `${problem} within ${ms} ms`)
        running.abort(timedOut)
      }, ms)
    },
    unlimit: () => clearTimeout(timer),
    async open() {
      signal.throwIfAborted()
      const {
        statusCode,
        headers,
        body: sent,
      } = await dispatcher.request({
        method,
        origin: options.origin,
        path: `${options.basePath}/${path}`,
        ...encodeRequest(request, { file, headers: options.headers }),
        signal: running.signal,
        // Replaced by the limits above.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
      const body = decode(sent, headers['content-encoding'])
      if (statusCode !== 200) {
        const fault = readFault(await readBriefly(body))
        throw new RefusedError(toRefusal(statusCode, fault, readRetryAfterMs(headers, Date.now())))
      }
      return { mediaType: String(headers['content-type'] ?? ''), body }
    },
    begin: () => void (hasBegun = true),
    end: () => void (hasEnded = true),
    explain(error) {
      if (signal.aborted) return signal.reason
      if (timedOut !== undefined)
        return hasBegun ? timedOut : new RefusedError({ error: timedOut, isRetryable: false })
      if (error instanceof RefusedError) return hasBegun ? error.refusal.error : error
      const own =
        error instanceof ChatError ? error : failed('The connection to the server of the model failed', error)
      if (hasBegun) return own
      // A server that answers what cannot be read would do so again.
      return new RefusedError({ error: own, isRetryable: own !== error })
    },
    close() {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      // An abort that is not needed would still create an error with its stack.
      if (!hasEnded) running.abort(LEFT)
    },
  }
}

/** Reads the start of a body as JSON; undefined if it is not JSON, or too long. */
async function readBriefly(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > MAX_FAULT_BYTES) return undefined
    parts.push(part)
  }
  return parseJson(Buffer.concat(parts).toString())
}

export const failed = (message: string, cause?: unknown): ChatError =>
  new ChatError('provider_failed', message, cause === undefined ? {} : { cause })
