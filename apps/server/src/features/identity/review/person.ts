import type { Id } from '@vaani/contracts'
import type { Principal } from '@vaani/service-kit/http/principal'
import { type RawBuilder, sql } from 'kysely'

/** Who is at work: a key, and the `reviewer` that the request named, if any, or the name of the member for whom the key stands. */
export interface Person {
  keyId: Id<'key'>
  reviewer: string | null
  /** Whether the key may vouch for the names that it gives. The names of other keys are recorded, and make nobody another person. */
  isVouched: boolean
}

export const personOf = (
  { keyId, scopes, member }: Pick<Principal, 'keyId' | 'scopes' | 'member'>,
  { reviewer }: { reviewer?: string | undefined },
): Person => ({ keyId, reviewer: member?.name ?? reviewer ?? null, isVouched: scopes.has('identity:vouch') })

export const isSamePerson = (one: Person, other: Person): boolean =>
  one.keyId === other.keyId && (!one.isVouched || one.reviewer === other.reviewer)

/** Condition that columns name the person. */
export function isPerson({ keyId, reviewer, isVouched }: Person, table: string): RawBuilder<boolean> {
  const isKey = sql<boolean>`${sql.ref(`${table}.key_id`)} = ${keyId}`
  return isVouched
    ? sql<boolean>`${isKey} and ${sql.ref(`${table}.reviewer`)} is not distinct from ${reviewer}`
    : isKey
}
