import type { MemberRole, Scope } from '@vaani/contracts'
import { FIRST_KEY_SCOPES } from './first-key-scopes.ts'

/** Scopes that only owners and reviewers have. */
const NOT_FOR_DEVELOPERS: readonly Scope[] = ['admin', 'identity:review']

/** What the members of an account may do. Nobody vouches for other names than their own. */
export const ROLE_SCOPES: Readonly<Record<MemberRole, readonly Scope[]>> = {
  owner: FIRST_KEY_SCOPES,
  developer: FIRST_KEY_SCOPES.filter((scope) => !NOT_FOR_DEVELOPERS.includes(scope)),
  reviewer: ['identity:read', 'identity:review'],
  viewer: ['calls:read', 'do_not_call:read', 'identity:read'],
}

/** Returns what a key may do, which its member's role says if it stands for one. */
export const scopesOf = ({
  role,
  scopes,
}: {
  role: MemberRole | null
  scopes: readonly Scope[]
}): ReadonlySet<Scope> => new Set(role === null ? scopes : ROLE_SCOPES[role])
