import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { VoiceExaminer } from '@vaani/speech/cloning'
import type { VoiceErasure } from './erasure.ts'
import type { VoiceEvent } from './events.ts'
import type { VoiceRecordings } from './recording-store.ts'
import type { VoiceStore } from './store.ts'

/** Dependencies of the voice routes. */
export interface VoicesContext extends Pick<
  Services,
  'clock' | 'idempotency' | 'makeId' | 'unsealed' | 'vault'
> {
  store: VoiceStore
  recordings: VoiceRecordings
  erasure: VoiceErasure
  /** @throws ApiError `service_unavailable` if no engine is installed */
  requireExaminer(): VoiceExaminer
  events: Events<VoiceEvent>
}
