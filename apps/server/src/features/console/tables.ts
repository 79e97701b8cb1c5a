import type { Id } from '@vaani/contracts'

export interface ConsoleSessionTable {
  /** SHA-256 of the cookie. */
  secret_hash: Buffer
  account_id: Id<'account'>
  /** The session may do what this key may, and ends when it is revoked. */
  key_id: Id<'key'>
  created_at: Date
  used_at: Date
  expires_at: Date
}

export interface ConsoleLinkTable {
  secret_hash: Buffer
  key_id: Id<'key'>
  expires_at: Date
}

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    console_sessions: ConsoleSessionTable
    console_links: ConsoleLinkTable
  }
}
