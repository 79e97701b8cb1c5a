import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { WebhooksPort } from './port.ts'

/** Dependencies of the webhook routes. */
export interface WebhooksContext extends WebhooksPort {
  database: Db
  clock: Clock
  makeId: IdMaker
}
