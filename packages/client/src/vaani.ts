import { type Admin, createAdmin } from './resources/admin.ts'
import { type Agents, createAgents } from './resources/agents.ts'
import { type Batches, createBatches } from './resources/batches.ts'
import { type Calls, createCalls } from './resources/calls.ts'
import { type Chat, createChat } from './resources/chat.ts'
import { createDeployments, type Deployments } from './resources/deployments.ts'
import { createIdentity, type Identity } from './resources/identity.ts'
import { createOcr, type Ocr } from './resources/ocr.ts'
import { createRealtime, type Realtime } from './resources/realtime.ts'
import { createSpeech, type Speech } from './resources/speech.ts'
import { createSystem, type System } from './resources/system.ts'
import { createVoices, type Voices } from './resources/voices.ts'
import { createWebhooks, type Webhooks } from './resources/webhooks.ts'
import type { ClientOptions } from './transport/client-options.ts'
import { createObserver, type ObserverOptions } from './transport/observer.ts'
import { createTransport } from './transport/transport.ts'

/** The hooks and the logger are options of the client; a namespace alone is given `createObserver` where it has some. */
export interface VaaniOptions extends Omit<ClientOptions, 'observer'>, ObserverOptions {}

/**
 * The whole service. Each namespace is also there alone, as `createCalls` of `@vaani/client/calls`.
 *
 * @throws TypeError where the key or the address is missing
 * @example
 * const vaani = new Vaani({ apiKey: process.env.VAANI_API_KEY ?? '', baseUrl: 'https://vaani.example.com' })
 * const call = await vaani.calls.place({ to: '+9779812345678', agent_id: 'reminder' })
 */
export class Vaani {
  readonly calls: Calls
  readonly agents: Agents
  readonly speech: Speech
  readonly realtime: Realtime
  readonly voices: Voices
  readonly identity: Identity
  readonly chat: Chat
  readonly ocr: Ocr
  readonly batches: Batches
  readonly deployments: Deployments
  readonly webhooks: Webhooks
  readonly admin: Admin
  readonly system: System

  constructor(options: VaaniOptions) {
    const isObserved = options.onRequest ?? options.onResponse ?? options.logger
    const transport = createTransport(
      isObserved ? { ...options, observer: createObserver(options) } : options,
    )
    this.calls = createCalls(transport)
    this.agents = createAgents(transport)
    this.speech = createSpeech(transport)
    this.realtime = createRealtime(transport)
    this.voices = createVoices(transport)
    this.identity = createIdentity(transport)
    this.chat = createChat(transport)
    this.ocr = createOcr(transport)
    this.batches = createBatches(transport)
    this.deployments = createDeployments(transport)
    this.webhooks = createWebhooks(transport)
    this.admin = createAdmin(transport)
    this.system = createSystem(transport)
  }
}
