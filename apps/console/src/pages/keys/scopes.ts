import type { CreateKeyRequest } from '@vaani/client'

export type Scope = CreateKeyRequest['scopes'][number]

// As a record, so that the compiler misses those that are not here.
const LISTED: Readonly<Record<Scope, true>> = {
  'calls:write': true,
  'calls:read': true,
  'do_not_call:write': true,
  'do_not_call:read': true,
  'speech:write': true,
  'voices:write': true,
  'identity:write': true,
  'identity:read': true,
  'identity:review': true,
  'identity:vouch': true,
  'models:use': true,
  'batch:write': true,
  'deploy:write': true,
  admin: true,
}

const isScope = (name: string): name is Scope => name in LISTED

/** What keys can be allowed to do. */
export const SCOPES = Object.keys(LISTED).filter(isScope)
