import { type Breaker, type Breakers, createBreakers, type RestRules } from '@vaani/turns'
import { ChatError, type ChatErrorCode } from '../chat-error.ts'
import { ChatOptionsError } from '../chat-options-error.ts'
import { type Endpoint, type EndpointModels, ENDPOINTS } from '../endpoints.ts'
import type { BatchingChatProvider, ChatObject, ChatOptions, ChatProvider, ChatRequest } from '../provider.ts'
import { type ChatTarget, orderTargets } from './order-targets.ts'

/** Something that an operator may want to see. */
export type ChatRouterEvent =
  /** A provider failed before its first chunk (`isHeard` false), or in the middle of an answer. */
  | { type: 'failed'; provider: string; isHeard: boolean; error: ChatError }
  /** A provider gets no requests for this time. */
  | { type: 'resting'; provider: string; restMs: number }
  /** A provider answers again. */
  | { type: 'recovered'; provider: string }

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

/** Enough failures that the timeouts of one long chat, tried again by its sender, are not likely to be all of them. */
const REST_RULES: RestRules = { failuresUntilRest: 5, firstRestMs: 2000, maxRestMs: 60_000 }

/** What a provider's error means before its first chunk. */
const MEANING: Readonly<Record<ChatErrorCode, 'failure' | 'busy' | 'final'>> = {
  provider_failed: 'failure',
  provider_timed_out: 'failure',
  provider_closed: 'failure',
  model_not_found: 'failure',
  provider_busy: 'busy',
  // Another provider would refuse it too, and the caller should learn of it from the preferred one.
  request_refused: 'final',
  aborted: 'final',
}

interface Target {
  readonly provider: string
  readonly model: string
  readonly weight: number
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
export function createChatRouter(options: ChatRouterOptions): BatchingChatProvider {
  const router = new ChatRouter(options)
  // Like every provider, it may be spread into another.
  return {
    models: () => router.models(),
    endpoints: () => router.endpoints(),
    complete: (request, chatOptions) => router.complete(request, chatOptions),
    stream: (request, chatOptions) => router.stream(request, chatOptions),
    streamBatches: (request, chatOptions) => router.streamBatches(request, chatOptions),
    close: () => router.close(),
  }
}

/** Passes requests on, and learns from errors which providers rest. */
class ChatRouter implements BatchingChatProvider {
  readonly #providers: Readonly<Record<string, ChatProvider | BatchingChatProvider>>
  readonly #onEvent: (event: ChatRouterEvent) => void
  readonly #nowMs: () => number
  readonly #random: () => number
  readonly #rules: { failuresUntilRest: number; firstRestMs: number; maxRestMs: number }
  readonly #table: ReadonlyMap<string, readonly Target[]>
  readonly #names: string[]
  readonly #endpoints: EndpointModels
  readonly #breakers: Breakers
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
    this.#rules = { ...REST_RULES, ...options.rests }
    this.#table = toTable(options)
    this.#names = [...this.#table.keys()]
    const namesWith = (endpoint: Endpoint) =>
      this.#names.filter((name) => this.#targets(name, endpoint).length > 0)
    this.#endpoints = Object.fromEntries(ENDPOINTS.map((endpoint) => [endpoint, namesWith(endpoint)]))
    this.#breakers = createBreakers({
      rules: this.#rules,
      nowMs,
      onRest: (provider, restMs) => onEvent({ type: 'resting', provider, restMs }),
      onRecovery: (provider) => onEvent({ type: 'recovered', provider }),
    })
  }

  async complete(request: ChatRequest, chatOptions: ChatOptions): Promise<ChatObject> {
    let last: ChatError | undefined
    for (const { target, provider } of this.#eachTarget(request.model, chatOptions.endpoint)) {
      try {
        const answer = await provider.complete({ ...request, model: target.model }, chatOptions)
        this.#breakers.succeed(target.provider)
        return { ...answer, model: request.model }
      } catch (error) {
        last = toChatError(error)
        this.#fail(target.provider, last, false)
        if (this.#closed || MEANING[last.code] === 'final') throw last
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
    for (const { target, provider } of this.#eachTarget(model, chatOptions.endpoint)) {
      let isHeard = false
      const asked = { ...request, model: target.model }
      try {
        for await (const batch of batchesOf(provider, asked, chatOptions)) {
          if (!isHeard) {
            isHeard = true
            this.#breakers.succeed(target.provider)
          }
          yield batch.map((chunk): ChatObject => ({ ...chunk, model }))
        }
        return
      } catch (error) {
        last = toChatError(error)
        this.#fail(target.provider, last, isHeard)
        if (isHeard || this.#closed || MEANING[last.code] === 'final') throw last
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

  async *stream(request: ChatRequest, chatOptions: ChatOptions): AsyncIterable<ChatObject> {
    for await (const batch of this.streamBatches(request, chatOptions)) yield* batch
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(Object.values(this.#providers).map((provider) => provider.close()))
  }

  #fail(name: string, error: ChatError, isHeard: boolean): void {
    switch (MEANING[error.code]) {
      case 'failure':
        if (this.#closed) return
        this.#onEvent({ type: 'failed', provider: name, isHeard, error })
        return this.#breakers.fail(name)
      case 'busy':
        return this.#breakers.pause(name, error.retryAfterMs ?? 0)
      case 'final':
        // It shows nothing about the provider.
        return this.#breakers.leave(name)
    }
  }

  /** Yields the targets to try in turn. @throws ChatError if there are none, or all rest */
  *#eachTarget(
    model: string,
    endpoint: Endpoint | undefined,
  ): Generator<{ target: Target; provider: ChatProvider | BatchingChatProvider }, void, unknown> {
    if (this.#closed) throw new ChatError('provider_closed', 'The provider is closed')
    const targets = this.#targets(model, endpoint)
    if (targets.length === 0)
      throw new ChatError('model_not_found', 'There is no such model', { param: 'model' })
    let isTried = false
    for (const target of orderTargets(targets, this.#random)) {
      const provider = this.#providers[target.provider]
      if (provider === undefined || !this.#breakers.begin(target.provider)) continue
      isTried = true
      yield { target, provider }
    }
    if (!isTried) throw this.#allRest(targets.map(({ provider }) => this.#breakers.stateOf(provider)))
  }

  /** What answers for a name; chats if there is no endpoint. */
  #targets(name: string, endpoint: Endpoint | undefined): readonly Target[] {
    const all = this.#table.get(name) ?? []
    return all.filter(({ provider, model }) => modelsOf(this.#providers[provider], endpoint).includes(model))
  }

  #allRest(all: readonly Breaker[]): ChatError {
    const untilMs = Math.min(...all.map((breaker) => breaker.untilMs))
    const retryAfterMs = Math.max(1000, untilMs - this.#nowMs())
    return all.some(({ failures }) => failures < this.#rules.failuresUntilRest)
      ? new ChatError('provider_busy', 'Every provider of this model asks to wait', { retryAfterMs })
      : new ChatError('provider_failed', 'Every provider of this model rests after failures', {
          retryAfterMs,
        })
  }
}

const modelsOf = (provider: ChatProvider | undefined, endpoint: Endpoint | undefined): readonly string[] =>
  (endpoint === undefined ? provider?.models() : provider?.endpoints?.()[endpoint]) ?? []

/** All models of a provider, whatever they are for. */
const allModelsOf = (provider: ChatProvider): string[] => [
  ...new Set([undefined, ...ENDPOINTS].flatMap((endpoint) => modelsOf(provider, endpoint))),
]

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

function toTable({ providers, models }: ChatRouterOptions): ReadonlyMap<string, readonly Target[]> {
  if (Object.keys(providers).length === 0) throw new ChatOptionsError('providers', 'must not be empty')
  const table = new Map<string, Target[]>()
  if (models === undefined) {
    for (const [provider, one] of Object.entries(providers))
      for (const model of allModelsOf(one))
        table.set(model, [...(table.get(model) ?? []), { provider, model, weight: 1 }])
    return table
  }
  for (const [name, targets] of Object.entries(models)) {
    if (targets.length === 0) throw new ChatOptionsError(`models.${name}`, 'must not be empty')
    table.set(
      name,
      targets.map((target, index) =>
        checkTarget(target, { name, providers, field: `models.${name}.${index}` }),
      ),
    )
  }
  if (table.size === 0) throw new ChatOptionsError('models', 'must not be empty')
  return table
}

function checkTarget(
  { provider, model, weight = 1 }: ChatTarget,
  { name, providers, field }: { name: string; providers: ChatRouterOptions['providers']; field: string },
): Target {
  const known = Object.hasOwn(providers, provider) ? providers[provider] : undefined
  if (known === undefined) throw new ChatOptionsError(`${field}.provider`, 'is not the name of a provider')
  if (!allModelsOf(known).includes(model ?? name))
    throw new ChatOptionsError(`${field}.model`, 'is not a model of its provider')
  if (!Number.isFinite(weight) || weight < 0)
    throw new ChatOptionsError(`${field}.weight`, 'must be zero or a positive number')
  return { provider, model: model ?? name, weight }
}

const toChatError = (error: unknown): ChatError =>
  error instanceof ChatError
    ? error
    : new ChatError('provider_failed', 'The provider failed', { cause: error })
