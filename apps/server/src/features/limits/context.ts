import type { Services } from '@vaani/service-kit/service/services'
import type { CallsPort } from '../calls/port.ts'

/** Dependencies of the route of limits. */
export type LimitsContext = Pick<Services, 'counters' | 'limiter'> & {
  calls: Pick<CallsPort, 'readCaps'>
}
