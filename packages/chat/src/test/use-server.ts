import { afterEach, beforeEach, expect } from 'vitest'
import type { ChatObject, ChatProvider, ChatRequest } from '../provider.ts'
import { createUpstream, createUpstreamWith, type Upstream } from '../upstream/create-upstream.ts'
import type { UpstreamOptions } from '../upstream/options.ts'
import { type ChatServer, startChatServer } from './chat-server.ts'

export const KEY = 'sk-secret-of-the-test'
export const REQUEST: ChatRequest = { model: 'm', messages: [{ role: 'user', content: 'private words' }] }
/** A signal that never aborts. */
export const never = (): { signal: AbortSignal } => ({ signal: new AbortController().signal })

export interface Used {
  readonly server: ChatServer
  /** Waits before repetitions, which pass at once, in ms. */
  readonly waits: readonly number[]
  /** Opens a provider of the server. With `realWaits` it really waits before repetitions. */
  open(options?: Partial<UpstreamOptions>, realWaits?: boolean): Upstream
}

/** Starts a server before each test of the file, and closes it and its providers after it. */
export function useServer(): Used {
  let server: ChatServer
  let waits: number[]
  const opened: ChatProvider[] = []
  beforeEach(async () => {
    server = await startChatServer()
    waits = []
  })
  afterEach(async () => {
    for (const provider of opened.splice(0)) await provider.close()
    await server[Symbol.asyncDispose]()
  })
  return {
    get server() {
      return server
    },
    get waits() {
      return waits
    },
    open(options = {}, realWaits = false) {
      const all = { baseUrl: server.baseUrl, apiKey: KEY, models: ['m'], ...options }
      // A random number of 1 gives the longest delay.
      const effects = { random: () => 1, wait: async (ms: number) => void waits.push(ms) }
      const provider = realWaits ? createUpstream(all) : createUpstreamWith(all, effects)
      opened.push(provider)
      return provider
    },
  }
}

/** Streams until the end or a failure; returns the chunks and the error. */
export async function receive(provider: ChatProvider, request: object = {}, options = never()) {
  const chunks: ChatObject[] = []
  try {
    for await (const chunk of provider.stream({ ...REQUEST, ...request }, options)) chunks.push(chunk)
  } catch (error) {
    return { chunks, error }
  }
  return { chunks, error: undefined }
}

/** The error of an answer that is not streamed. */
export const errorOf = (provider: ChatProvider, request: object = {}, options = never()): Promise<unknown> =>
  provider.complete({ ...REQUEST, ...request }, options).then(
    () => undefined,
    (error: unknown) => error,
  )

export const chatError = (code: string, more: object = {}): unknown =>
  expect.objectContaining({ name: 'ChatError', code, ...more })
