import type { Services } from '@vaani/service-kit/service/services'
import type { AccountAuthenticator } from '../../tenancy/authenticator.ts'
import type { PasskeyStore } from './passkeys/passkey-store.ts'
import type { MemberStore } from './store.ts'

/** Dependencies of the member routes. */
export interface MembersContext extends Pick<Services, 'clock' | 'database'> {
  authenticator: AccountAuthenticator
  store: MemberStore
  passkeys: PasskeyStore
}
