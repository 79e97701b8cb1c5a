import type { Services } from '@vaani/service-kit/service/services'

/** Dependencies of the route of limits. */
export type LimitsContext = Pick<Services, 'counters' | 'limiter'>
