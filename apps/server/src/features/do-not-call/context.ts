import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { DoNotCallEvent } from './events.ts'
import type { ListedNumberStore } from './store.ts'

/** Dependencies of the do-not-call routes. */
export interface DoNotCallContext extends Pick<Services, 'clock' | 'database' | 'makeId'> {
  store: ListedNumberStore
  events: Events<DoNotCallEvent>
}
