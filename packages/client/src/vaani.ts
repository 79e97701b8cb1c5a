import { type Admin, createAdmin } from './resources/admin.ts'
import { type Agents, createAgents } from './resources/agents.ts'
import { type Batches, createBatches } from './resources/batches.ts'
import { type Calls, createCalls } from './resources/calls.ts'
import { type Chat, createChat } from './resources/chat.ts'
import { createDeployments, type Deployments } from './resources/deployments.ts'
import { type CallerIds, createCallerIds } from './resources/caller-ids.ts'
import { createDoNotCall, type DoNotCall } from './resources/do-not-call.ts'
import { createIdentity, type Identity } from './resources/identity.ts'
import { createLexicons, type Lexicons } from './resources/lexicons.ts'
import { createLimits, type Limits } from './resources/limits.ts'
import { createMembers, type Members } from './resources/members.ts'
import { createModels, type Models } from './resources/models.ts'
import { createOcr, type Ocr } from './resources/ocr.ts'
import { createRealtime, type Realtime } from './resources/realtime.ts'
import { createRequests, type Requests } from './resources/requests.ts'
import { createReviews, type Reviews } from './resources/reviews.ts'
import { createSpeech, type Speech } from './resources/speech.ts'
import { createSystem, type System } from './resources/system.ts'
import { createVoices, type Voices } from './resources/voices.ts'
import { createWatermark, type Watermark } from './resources/watermark.ts'
import { createWebhooks, type Webhooks } from './resources/webhooks.ts'
import type { JsonValue } from './generated/types.ts'
import type { ClientOptions, RequestOptions } from './transport/client-options.ts'
import { createObserver, type ObserverOptions } from './transport/observer.ts'
import type { Pending } from './transport/pending.ts'
import { createTransport, type Transport } from './transport/transport.ts'

export interface AnyRequest extends RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>
  /** Sent as JSON. */
  readonly json?: unknown
}

/** Takes the hooks and the logger directly; a namespace alone takes them as an `observer`, made by `createObserver`. */
export interface VaaniOptions extends Omit<ClientOptions, 'observer'>, ObserverOptions {}

/**
 * Client of the whole service. Each namespace can also be created alone, for example with `createCalls` from
 * `@vaani/client/calls`.
 *
 * @throws TypeError if neither the options nor the environment contain the API key or the base URL, or if the URL is malformed
 * @example
 * const vaani = new Vaani() // reads VAANI_API_KEY and VAANI_BASE_URL
 * const call = await vaani.calls.place({ to: '+9779812345678', agent_id: 'reminder' })
 */
export class Vaani {
  declare readonly calls: Calls
  declare readonly agents: Agents
  declare readonly speech: Speech
  declare readonly realtime: Realtime
  declare readonly watermark: Watermark
  declare readonly lexicons: Lexicons
  declare readonly voices: Voices
  declare readonly identity: Identity
  declare readonly reviews: Reviews
  declare readonly chat: Chat
  declare readonly models: Models
  declare readonly ocr: Ocr
  declare readonly batches: Batches
  declare readonly deployments: Deployments
  declare readonly members: Members
  declare readonly requests: Requests
  declare readonly limits: Limits
  declare readonly doNotCall: DoNotCall
  declare readonly callerIds: CallerIds
  declare readonly webhooks: Webhooks
  declare readonly admin: Admin
  declare readonly system: System

  readonly #options: VaaniOptions
  readonly #transport: Transport

  constructor(options: VaaniOptions = {}) {
    const isObserved = options.onRequest ?? options.onResponse ?? options.logger
    const transport = createTransport(
      isObserved ? { ...options, observer: createObserver(options) } : options,
    )
    this.#options = options
    this.#transport = transport
    this.calls = createCalls(transport)
    this.agents = createAgents(transport)
    this.speech = createSpeech(transport)
    this.realtime = createRealtime(transport)
    this.watermark = createWatermark(transport)
    this.lexicons = createLexicons(transport)
    this.voices = createVoices(transport)
    this.identity = createIdentity(transport)
    this.reviews = createReviews(transport)
    this.chat = createChat(transport)
    this.models = createModels(transport)
    this.ocr = createOcr(transport)
    this.batches = createBatches(transport)
    this.deployments = createDeployments(transport)
    this.members = createMembers(transport)
    this.requests = createRequests(transport)
    this.limits = createLimits(transport)
    this.doNotCall = createDoNotCall(transport)
    this.callerIds = createCallerIds(transport)
    this.webhooks = createWebhooks(transport)
    this.admin = createAdmin(transport)
    this.system = createSystem(transport)
  }

  /**
   * Returns a new client with this client's options, except the given ones.
   *
   * @example
   * const patient = vaani.withOptions({ timeoutMs: 300_000, maxRetries: 5 })
   */
  withOptions(options: VaaniOptions): Vaani {
    return new Vaani({ ...this.#options, ...options })
  }

  /**
   * Sends any request to the service, for example one that this version has no method for, with the same key, limits, retries
   * and errors as the methods. Does not check the response.
   *
   * @param path absolute and without a query, for example `/agent/calls`
   * @throws TypeError if the path has any other form
   * @example
   * const page = await vaani.request<{ data: unknown[] }>('GET', '/agent/calls', { query: { limit: 5 } })
   */
  request<Data = JsonValue | undefined>(
    method: string,
    path: string,
    { query, json, ...options }: AnyRequest = {},
  ): Pending<Data> {
    // Any other path could send the key to another host, for example `@example.com`.
    if (!/^\/[^?#{}]*$/.test(path)) throw new TypeError('path must be like /agent/calls')
    return this.#transport.send({
      route: { operation: 'request', method, path },
      query,
      json,
      options,
    })
  }
}
