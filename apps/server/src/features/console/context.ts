import type { AccountAuthenticator, SecretAuthenticator } from '../../tenancy/authenticator.ts'
import type { MembersPort } from '../members/port.ts'
import type { MigrationPort } from '../migration/port.ts'
import type { EventStreams } from './events/event-streams.ts'
import type { LinkStore } from './link-store.ts'
import type { SessionStore } from './session-store.ts'

/** Dependencies of the routes of the console. */
export interface ConsoleContext {
  authenticator: AccountAuthenticator
  /** Authenticates by the secrets of sessions. */
  sessions: SecretAuthenticator
  store: SessionStore
  links: LinkStore
  streams: EventStreams
  members: MembersPort
  migration: MigrationPort
}
