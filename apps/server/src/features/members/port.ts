import type { Id } from '@vaani/contracts'
import type { SessionKey } from './session-key.ts'
export type { OidcAttempt } from './oidc/create-oidc.ts'
import type { Oidc } from './oidc/create-oidc.ts'
import type { Passkeys } from './passkeys/create-passkeys.ts'

/** What members offer to the console. */
export interface MembersPort {
  passkeys: Passkeys
  /** Null unless the operator has a provider. */
  oidc: Oidc | null
  /** Lists the keys of a member, of both modes. */
  keyIdsOf(memberId: Id<'member'>): Promise<Id<'key'>[]>
  /** Whether a member may work in a mode. */
  mayWork(memberId: Id<'member'>, livemode: boolean): Promise<boolean>
  /** Returns the key by which a member works in a mode, and notes the mode for the next time; null if they may not. */
  keyIn(memberId: Id<'member'>, livemode: boolean): Promise<SessionKey | null>
}
