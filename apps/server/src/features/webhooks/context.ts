import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { WebhooksPort } from './port.ts'
import type { MakeSample } from './rules/sample-event.ts'

/** Dependencies of the webhook routes. */
export interface WebhooksContext extends WebhooksPort {
  database: Db
  clock: Clock
  makeId: IdMaker
  /** How to make a sample of each type of event. */
  samples: ReadonlyMap<string, MakeSample>
}
