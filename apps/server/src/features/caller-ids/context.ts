import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { AdminPort } from '../admin/port.ts'
import type { CallsPort } from '../calls/port.ts'
import type { DoNotCallPort } from '../do-not-call/port.ts'
import type { SpeechPort } from '../speech/port.ts'
import type { Codes } from './codes.ts'
import type { CallerIdEvent } from './events.ts'
import type { VerificationStore } from './store.ts'

/** Dependencies of the routes of caller ids. */
export interface CallerIdsContext extends Pick<Services, 'clock' | 'database' | 'makeId' | 'pool'> {
  verified: AdminPort['callerIds']
  calls: Pick<CallsPort, 'findRoute'>
  doNotCall: DoNotCallPort
  speech: Pick<SpeechPort, 'requireLanguage'>
  store: VerificationStore
  codes: Codes
  /** Null in a process that dials no calls. */
  caller: { wake(): void } | null
  events: Events<CallerIdEvent>
}
