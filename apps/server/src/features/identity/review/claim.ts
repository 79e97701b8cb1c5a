import { LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { VerificationRow } from '../tables.ts'
import type { Person } from './person.ts'

type ClaimColumns = 'claim_key_id' | 'claim_reviewer' | 'claim_expires_at'
/** Who works on a review. Here a name counts as given, because a claim only keeps people out of each other's way. */
export interface Claim extends Pick<Person, 'keyId' | 'reviewer'> {
  expiresAt: Date
}

/** Returns the claim on a review; null if there is none, or its time is over. */
export function claimOf(row: Pick<VerificationRow, ClaimColumns>, nowMs: number): Claim | null {
  const { claim_key_id: keyId, claim_reviewer: reviewer, claim_expires_at: expiresAt } = row
  if (keyId === null || expiresAt === null || expiresAt.getTime() <= nowMs) return null
  return { keyId, reviewer, expiresAt }
}

export const newClaim = ({ keyId, reviewer }: Pick<Person, 'keyId' | 'reviewer'>, nowMs: number) => ({
  claim_key_id: keyId,
  claim_reviewer: reviewer,
  claim_expires_at: new Date(nowMs + LIMITS.reviewClaimMinutes * 60_000),
})

export const NO_CLAIM = { claim_key_id: null, claim_reviewer: null, claim_expires_at: null } as const

/** @throws ApiError `state_conflict` if somebody else works on the review */
export function requireNoOther(claim: Claim | null, person: Person): void {
  if (claim !== null && (claim.keyId !== person.keyId || claim.reviewer !== person.reviewer))
    throw new ApiError('state_conflict', 'Somebody else has claimed the review')
}
