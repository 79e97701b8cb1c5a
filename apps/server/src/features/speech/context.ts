import type { Clock } from '@vaani/service-kit/clock'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { SpeechEvent } from './events.ts'
import type { SpeechMetrics } from './metrics.ts'
import type { SpeechPort } from './port.ts'

/** Dependencies of the speech routes. */
export interface SpeechContext extends SpeechPort {
  clock: Clock
  events: Events<SpeechEvent>
  metrics: SpeechMetrics
}
