import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { RenderPool } from '@vaani/speech/synthesis'
import type { SpeechPort } from '../speech/port.ts'
import type { WatermarkPort } from '../watermark/port.ts'
import type { SynthesisEvent } from './events.ts'
import type { SynthesisMetrics } from './metrics.ts'

/** Dependencies of the synthesis routes. */
export interface SynthesisContext extends Pick<Services, 'clock' | 'limiter' | 'log' | 'stopping'> {
  speech: SpeechPort
  watermark: WatermarkPort
  renderers: RenderPool
  events: Events<SynthesisEvent>
  metrics: SynthesisMetrics
}
