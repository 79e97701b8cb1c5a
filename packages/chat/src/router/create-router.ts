import type { RestRules } from '@vaani/turns'
import { ChatError } from '../chat-error.ts'
import { type Endpoint, type EndpointModels, ENDPOINTS } from '../endpoints.ts'
import type { BatchingChatProvider, ChatObject, ChatOptions, ChatProvider, ChatRequest } from '../provider.ts'
import { type ChatTarget, orderTargets } from './order-targets.ts'
import { modelsOf, type Target, toTable } from './to-table.ts'
import { type Asked, createRests, meaningOf, type Rest, type Rests } from './rests.ts'

/** Something that an operator may want to see. */
export type ChatRouterEvent =
  /** A provider failed before its first chunk (`isHeard` false), or in the middle of an answer. */
  | { type: 'failed'; provider: string; isHeard: boolean; error: ChatError }
  /** A provider, or only this model of it, gets no requests for this time. */
  | { type: 'resting'; provider: string; model?: string; restMs: number }
  /** A provider, or this model of it, answers again. */
  | { type: 'recovered'; provider: string; model?: string }

export interface ChatRouterOptions {
  /** Providers by name. The router closes them. */
  providers: Readonly<Record<string, ChatProvider | BatchingChatProvider>>
  /**
   * What answers for each name that requests may use. Default: every model of a provider under its own name, by all providers
   * that have it.
   */
  models?: Readonly<Record<string, readonly ChatTarget[]>> | undefined
  rests?: Partial<RestRules> | undefined
  onEvent?: ((event: ChatRouterEvent) => void) | undefined
  nowMs?: (() => number) | undefined
  random?: (() => number) | undefined
}

/** A provider that passes requests on to others. */
export interface RoutingProvider extends BatchingChatProvider {
  /** Returns the preferred provider and its model for a name, whether it rests or not; undefined if none has the endpoint. */
  preferred(
    model: string,
    endpoint: Endpoint,
  ): { readonly provider: string; readonly model: string } | undefined
}

/**
 * Creates a provider that passes each request to one of several providers, by a table of models with weights. If a provider
 * fails before its first chunk, the next one answers; after it, the error is passed on. A provider that fails repeatedly
 * rests. Answers have the name that the request used as their `model`.
 *
 * @throws ChatOptionsError that names the invalid option
 * @example
 * const chat = createChatRouter({
 *   providers: { vendor, local },
 *   models: { fast: [{ provider: 'vendor', model: 'gpt-5-mini' }, { provider: 'local', model: 'qwen3', weight: 0 }] },
 * })
 */
export function createChatRouter(options: ChatRouterOptions): RoutingProvider {
  const router = new ChatRouter(options)
  // Like every provider, it may be spread into another.
  return {
    models: () => router.models(),
    endpoints: () => router.endpoints(),
    preferred: (model, endpoint) => router.preferred(model, endpoint),
    complete: (request, chatOptions) => router.complete(request, chatOptions),
    stream: (request, chatOptions) => router.stream(request, chatOptions),
    streamBatches: (request, chatOptions) => router.streamBatches(request, chatOptions),
    close: () => router.close(),
  }
}

/** Passes requests on, and learns from errors which providers rest. */
class ChatRouter implements RoutingProvider {
  readonly #providers: Readonly<Record<string, ChatProvider | BatchingChatProvider>>
  readonly #onEvent: (event: ChatRouterEvent) => void
  readonly #nowMs: () => number
  readonly #random: () => number
  readonly #table: ReadonlyMap<string, readonly Target[]>
  readonly #names: string[]
  readonly #endpoints: EndpointModels
  readonly #rests: Rests
  #closed = false

  constructor(options: ChatRouterOptions) {
    const {
      providers,
      onEvent = () => undefined,
      nowMs = () => performance.now(),
      random = Math.random,
    } = options
    this.#providers = providers
    this.#onEvent = onEvent
    this.#nowMs = nowMs
    this.#random = random
    this.#table = toTable(options)
    this.#names = [...this.#table.keys()]
    const namesWith = (endpoint: Endpoint) =>
      this.#names.filter((name) => this.#targets(name, endpoint).length > 0)
    this.#endpoints = Object.fromEntries(ENDPOINTS.map((endpoint) => [endpoint, namesWith(endpoint)]))
    this.#rests = createRests({
      rules: options.rests,
      nowMs,
      onRest: (resting) => onEvent({ type: 'resting', ...resting }),
      onRecovery: (recovered) => onEvent({ type: 'recovered', ...recovered }),
    })
  }

  async complete(request: ChatRequest, chatOptions: ChatOptions): Promise<ChatObject> {
    let last: ChatError | undefined
    for (const { asked, provider } of this.#eachTarget(request.model, chatOptions)) {
      try {
        const answer = await provider.complete({ ...request, model: asked.model }, chatOptions)
        this.#rests.end(asked)
        return { ...answer, model: request.model }
      } catch (error) {
        last = toChatError(error)
        this.#fail(asked, last, false)
        if (this.#closed || meaningOf(last) === 'final') throw last
      }
    }
    throw last ?? new ChatError('provider_failed', 'No provider answered')
  }

  async *streamBatches(
    request: ChatRequest,
    chatOptions: ChatOptions,
  ): AsyncGenerator<ChatObject[], void, unknown> {
    let last: ChatError | undefined
    const { model } = request
    for (const { asked, provider } of this.#eachTarget(model, chatOptions)) {
      let isHeard = false
      const passed = { ...request, model: asked.model }
      try {
        for await (const batch of batchesOf(provider, passed, chatOptions)) {
          if (!isHeard) {
            isHeard = true
            this.#rests.end(asked)
          }
          yield batch.map((chunk): ChatObject => ({ ...chunk, model }))
        }
        return
      } catch (error) {
        last = toChatError(error)
        this.#fail(asked, last, isHeard)
        if (isHeard || this.#closed || meaningOf(last) === 'final') throw last
      }
    }
    throw last ?? new ChatError('provider_failed', 'No provider answered')
  }

  models(): readonly string[] {
    return this.#names
  }

  endpoints(): EndpointModels {
    return this.#endpoints
  }

  preferred(model: string, endpoint: Endpoint): Target | undefined {
    return this.#targets(model, endpoint).toSorted((one, other) => other.weight - one.weight)[0]
  }

  async *stream(request: ChatRequest, chatOptions: ChatOptions): AsyncIterable<ChatObject> {
    for await (const batch of this.streamBatches(request, chatOptions)) yield* batch
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(Object.values(this.#providers).map((provider) => provider.close()))
  }

  #fail(asked: Asked, error: ChatError, isHeard: boolean): void {
    if (meaningOf(error) === 'failure') {
      if (this.#closed) return
      this.#onEvent({ type: 'failed', provider: asked.provider, isHeard, error })
    }
    this.#rests.end(asked, error)
  }

  /** Yields the targets to try in turn. @throws ChatError if there are none, or all rest */
  *#eachTarget(
    model: string,
    { tenant, endpoint }: ChatOptions,
  ): Generator<{ asked: Asked; provider: ChatProvider | BatchingChatProvider }, void, unknown> {
    if (this.#closed) throw new ChatError('provider_closed', 'The provider is closed')
    const targets = this.#targets(model, endpoint)
    if (targets.length === 0)
      throw new ChatError('model_not_found', 'There is no such model', { param: 'model' })
    let isTried = false
    for (const target of orderTargets(targets, this.#random)) {
      const asked = { ...target, tenant }
      const provider = this.#providers[target.provider]
      if (provider === undefined || !this.#rests.begin(asked)) continue
      isTried = true
      yield { asked, provider }
    }
    if (!isTried) throw this.#allRest(targets.map((target) => this.#rests.restOf({ ...target, tenant })))
  }

  /** What answers for a name; chats if there is no endpoint. */
  #targets(name: string, endpoint: Endpoint | undefined): readonly Target[] {
    const all = this.#table.get(name) ?? []
    return all.filter(({ provider, model }) => modelsOf(this.#providers[provider], endpoint).includes(model))
  }

  #allRest(all: readonly Rest[]): ChatError {
    const untilMs = Math.min(...all.map((rest) => rest.untilMs))
    const retryAfterMs = Math.max(1000, untilMs - this.#nowMs())
    return all.some(({ isBusy }) => isBusy)
      ? new ChatError('provider_busy', 'Every provider of this model asks to wait', { retryAfterMs })
      : new ChatError('provider_failed', 'Every provider of this model rests after failures', {
          retryAfterMs,
        })
  }
}

const batchesOf = (
  provider: ChatProvider | BatchingChatProvider,
  request: ChatRequest,
  options: ChatOptions,
): AsyncIterable<readonly ChatObject[]> =>
  'streamBatches' in provider
    ? provider.streamBatches(request, options)
    : oneByOne(provider.stream(request, options))

async function* oneByOne(chunks: AsyncIterable<ChatObject>): AsyncGenerator<readonly ChatObject[]> {
  for await (const chunk of chunks) yield [chunk]
}

const toChatError = (error: unknown): ChatError =>
  error instanceof ChatError
    ? error
    : new ChatError('provider_failed', 'The provider failed', { cause: error })
