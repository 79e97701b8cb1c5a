import type { Id } from '@vaani/contracts'

export interface MemberPasskeyTable {
  credential_id: Buffer
  member_id: Id<'member'>
  /** Host of the console where it was made; it works on no other. */
  host: string
  /** As COSE. */
  public_key: Buffer
  /** How often the device says that it was used; 0 for devices that do not count. */
  uses: string
  created_at: Date
}

export interface SignInChallengeTable {
  /** SHA-256 of the challenge. */
  challenge_hash: Buffer
  expires_at: Date
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    member_passkeys: MemberPasskeyTable
    sign_in_challenges: SignInChallengeTable
  }
}
