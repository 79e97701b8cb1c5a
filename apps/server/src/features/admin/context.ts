import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { AccountAuthenticator } from '../../tenancy/authenticator.ts'
import type { AgentsPort } from '../agents/port.ts'
import type { IdentityPort } from '../identity/port.ts'
import type { SpeechPort } from '../speech/port.ts'
import type { VoicesPort } from '../voices/port.ts'
import type { WebhooksPort } from '../webhooks/port.ts'
import type { CallerIdStore } from './caller-id-store.ts'
import type { AdminEvent } from './events.ts'

/** Dependencies of the admin routes. */
export interface AdminContext extends Pick<Services, 'clock' | 'database' | 'makeId'> {
  authenticator: AccountAuthenticator
  callerIds: CallerIdStore
  agents: AgentsPort
  identity: IdentityPort
  speech: Pick<SpeechPort, 'engine'>
  voices: VoicesPort
  webhooks: WebhooksPort
  events: Events<AdminEvent>
}
