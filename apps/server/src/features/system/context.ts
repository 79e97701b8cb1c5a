import type { Services } from '@vaani/service-kit/service/services'
import type { CallsPort } from '../calls/port.ts'
import type { SpeechPort } from '../speech/port.ts'

/** Dependencies of the probes. */
export interface SystemContext extends Pick<Services, 'limiterState' | 'readiness' | 'workers'> {
  calls: CallsPort
  speech: SpeechPort
}
