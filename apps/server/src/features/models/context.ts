import type { Events } from '@vaani/service-kit/telemetry/events'
import type { RenderPool } from '@vaani/speech/synthesis'
import type { SpeechPort } from '../speech/port.ts'
import type { ModelEvent } from './events.ts'
import type { ModelMetrics } from './metrics.ts'

/** Dependencies of the routes of hosted models. */
export interface ModelsContext {
  speech: SpeechPort
  renderers: RenderPool
  events: Events<ModelEvent>
  metrics: ModelMetrics
}
