import type { Services } from '@vaani/service-kit/service/services'
import type { AccountAuthenticator } from '../../tenancy/authenticator.ts'
import type { PasskeyStore } from './passkeys/passkey-store.ts'

/** Dependencies of the member routes. */
export interface MembersContext extends Pick<Services, 'clock' | 'database' | 'makeId'> {
  authenticator: AccountAuthenticator
  passkeys: PasskeyStore
}
