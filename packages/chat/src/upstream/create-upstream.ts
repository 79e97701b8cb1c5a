import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { ChatError } from '../chat-error.ts'
import type { BatchingChatProvider, ChatObject, ChatOptions, ChatRequest } from '../provider.ts'
import { RefusedError } from './connection.ts'
import { checkOptions, type UpstreamOptions } from './options.ts'
import { receiveAnswer, receiveChunks } from './receive.ts'
import { retryDelayMs } from './refusal.ts'
import { createStoredObjects, type StoredObjects } from './stored.ts'

/** A server, with the files and batches that it keeps. */
export interface Upstream extends BatchingChatProvider {
  readonly stored: StoredObjects
}

/** Effects that tests replace. */
export interface Effects {
  random: () => number
  wait: (ms: number, signal: AbortSignal) => Promise<void>
}

export function createUpstreamWith(options: UpstreamOptions, effects: Effects): Upstream {
  const checked = checkOptions(options)
  const { origin, models, endpoints, maxConcurrent, streamUsage } = checked
  const pool = new Pool(origin, { connections: maxConcurrent, pipelining: 1 })
  const places = createPlaces(maxConcurrent)

  /** Waits before a repetition of a request that failed before its first byte, or throws its error. */
  async function prepareRetry(error: unknown, attempt: number, signal: AbortSignal): Promise<void> {
    if (!(error instanceof RefusedError)) throw error
    const delayMs = retryDelayMs(error.refusal, { ...checked, attempt, random: effects.random })
    if (delayMs === undefined) throw error.refusal.error
    try {
      await effects.wait(delayMs, signal)
    } catch {
      throw signal.reason
    }
  }

  async function complete(request: ChatRequest, { signal, ...asked }: ChatOptions): Promise<ChatObject> {
    using place = places.begin(signal)
    const exchange = { ...asked, dispatcher: pool, options: checked, request, signal: place.signal }
    for (let attempt = 0; ; attempt++) {
      try {
        return await receiveAnswer(exchange)
      } catch (error) {
        await prepareRetry(error, attempt, place.signal)
      }
    }
  }

  async function* streamBatches(request: ChatRequest, { signal, ...asked }: ChatOptions) {
    using place = places.begin(signal)
    const { stream_options: streamOptions, ...rest } = request
    const streamed = {
      ...rest,
      stream: true,
      ...(streamUsage && streamOptions !== undefined && { stream_options: streamOptions }),
    }
    const exchange = { ...asked, dispatcher: pool, options: checked, request: streamed, signal: place.signal }
    for (let attempt = 0; ; attempt++) {
      try {
        yield* receiveChunks(exchange)
        return
      } catch (error) {
        await prepareRetry(error, attempt, place.signal)
      }
    }
  }

  return {
    models: () => models,
    endpoints: () => endpoints,
    complete,
    streamBatches,
    stored: createStoredObjects({ dispatcher: pool, options: checked }),
    async *stream(request, streamOptions) {
      for await (const batch of streamBatches(request, streamOptions)) yield* batch
    },
    async close() {
      places.close()
      await pool.destroy()
    },
  }
}

/** The requests in progress, up to a number. */
function createPlaces(maxConcurrent: number) {
  /** Ends each request in progress. */
  const active = new Set<AbortController>()
  let closed = false

  /** Takes a place, and gives a signal that ends with the caller's or with the upstream. */
  function begin(signal: AbortSignal): { signal: AbortSignal } & Disposable {
    if (closed) throw new ChatError('provider_closed', 'The provider is closed')
    if (active.size >= maxConcurrent)
      throw new ChatError('provider_busy', 'Too many requests to the server of the model')
    const running = new AbortController()
    const onAbort = () => {
      // Also if nobody reads on, and so nothing disposes the place.
      active.delete(running)
      running.abort(new ChatError('aborted', 'The chat was aborted'))
    }
    active.add(running)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    return {
      signal: running.signal,
      [Symbol.dispose]() {
        signal.removeEventListener('abort', onAbort)
        active.delete(running)
      },
    }
  }

  return {
    begin,
    close() {
      closed = true
      for (const running of active) running.abort(new ChatError('provider_closed', 'The provider is closed'))
    },
  }
}

/**
 * Creates a provider that asks a server for chats by `POST {baseUrl}/chat/completions`, and for its other endpoints. It sends nothing until then. Fields
 * that it does not know are passed on in both directions.
 *
 * @throws ChatOptionsError that names the invalid option
 * @example
 * const upstream = createUpstream({
 *   baseUrl: 'https://api.openai.com/v1',
 *   apiKey: process.env.OPENAI_API_KEY,
 *   models: ['gpt-5-mini'],
 * })
 */
export const createUpstream = (options: UpstreamOptions): Upstream =>
  createUpstreamWith(options, {
    random: Math.random,
    wait: (ms, signal) => sleep(ms, undefined, { signal }),
  })
