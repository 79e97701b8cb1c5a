import type { Services } from '@vaani/service-kit/service/services'
import type { RefusalStore } from './store.ts'

/** Dependencies of the routes of refused requests. */
export interface RequestsContext extends Pick<Services, 'clock'> {
  store: RefusalStore
}
