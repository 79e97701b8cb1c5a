import type { Principal } from '@vaani/service-kit/http/principal'
import { type RawBuilder, sql } from 'kysely'

/** A reviewer: a key, and the `reviewer` that the request named, if any. */
export interface Person {
  keyId: string
  reviewer: string | null
}

export const personOf = ({ keyId }: Principal, { reviewer }: { reviewer?: string | undefined }): Person => ({
  keyId,
  reviewer: reviewer ?? null,
})

export const isSamePerson = (one: Person, other: Person): boolean =>
  one.keyId === other.keyId && one.reviewer === other.reviewer

/** Condition that columns name the person. */
export const isPerson = ({ keyId, reviewer }: Person, table: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${table}.key_id`)} = ${keyId} and ${sql.ref(`${table}.reviewer`)} is not distinct from ${reviewer}`
