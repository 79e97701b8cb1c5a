import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { AdminPort } from '../admin/port.ts'
import type { AgentsPort } from '../agents/port.ts'
import type { SpeechPort } from '../speech/port.ts'
import type { CallDispatcher } from './dispatcher.ts'
import type { CallEvent } from './events.ts'
import type { RecordingStore } from './recording-store.ts'
import type { NumberBar } from './number-bar.ts'
import type { CallStore } from './store.ts'

/** Dependencies of the call routes. */
export interface CallsContext extends Pick<Services, 'clock' | 'idempotency'> {
  admin: AdminPort
  agents: AgentsPort
  speech: SpeechPort
  calls: CallStore
  recordings: RecordingStore
  /** Returns the name of the carrier of a call; undefined if none rings such numbers. */
  chooseCarrier(call: { livemode: boolean; accountId: string; to: string }): string | undefined
  numberBar: NumberBar
  /** Null in a process that dials no calls. */
  worker: Pick<CallDispatcher, 'wake'> | null
  events: Events<CallEvent>
}
