import type { BatchingChatProvider } from '@vaani/chat'
import type { ModelResource } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { RenderPool } from '@vaani/speech/synthesis'
import type { SpeechPort } from '../speech/port.ts'
import type { ModelEvent } from './events.ts'
import type { ModelMetrics } from './metrics.ts'
import type { KeepingUpstreams } from './chat/load-chat.ts'
import type { StoredStore } from './stored/store.ts'
import type { UsageMeter } from './usage/usage-meter.ts'

/** Dependencies of the routes that speak. */
export interface ModelsContext {
  speech: SpeechPort
  renderers: RenderPool
  events: Events<ModelEvent>
  metrics: ModelMetrics
}

/** Dependencies of the routes that take a form. */
export type FormContext = Pick<Services, 'unsealed' | 'vault'>

/** Dependencies of the routes that take a recording. */
export type TranscriptionContext = ChatContext & FormContext

/** Dependencies of the routes of what upstreams keep. */
export interface StoredContext extends FormContext, Pick<Services, 'clock' | 'database' | 'log'> {
  upstreams: KeepingUpstreams
  store: StoredStore
}

/** Dependencies of the routes of chat models. */
export interface ChatContext {
  chat: BatchingChatProvider
  models: readonly ModelResource[]
  usage: UsageMeter
  clock: Clock
  events: Events<ModelEvent>
  metrics: ModelMetrics
}
