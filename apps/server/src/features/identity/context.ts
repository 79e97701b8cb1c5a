import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { WebhooksPort } from '../webhooks/port.ts'
import type { IdentityEvent } from './events.ts'
import type { Identity } from './start-identity.ts'

/** Dependencies of the verification routes. */
export interface IdentityContext extends Pick<
  Services,
  'clock' | 'database' | 'idempotency' | 'limiter' | 'makeId' | 'vault'
> {
  identity: Identity
  webhooks: WebhooksPort
  events: Events<IdentityEvent>
}
