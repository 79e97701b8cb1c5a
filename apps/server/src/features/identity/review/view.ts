import type { Review, ReviewEntry } from '@vaani/contracts'
import type { Policy } from '@vaani/identity-checks'
import { toScore } from '@vaani/identity-checks/check'
import { openDataKey } from '@vaani/service-kit/vault/data-key'
import { openText, type Seal } from '@vaani/service-kit/vault/sealed-bytes'
import type { Vault } from '@vaani/service-kit/vault/vault'
import { dueAt } from '../rules/due-at.ts'
import type { EntryRow, VerificationRow } from '../tables.ts'
import { toVerification } from '../view.ts'
import { claimOf } from './claim.ts'
import { latestVotes } from './count-votes.ts'

/** Place of a note, under the verification's data key. */
export const notePlace = (
  { verification_id }: Pick<VerificationRow, 'verification_id'>,
  entryId: string,
  key: Buffer,
): Seal => ({ key, place: `${verification_id}/note/${entryId}` })

/** Converts entries of a verification to the API's form. */
export function toEntries(
  vault: Vault,
  row: Pick<VerificationRow, 'verification_id' | 'data_key'>,
  entries: readonly EntryRow[],
): ReviewEntry[] {
  const { verification_id, data_key } = row
  const hasNotes = entries.some(({ note }) => note !== null)
  const key = hasNotes && data_key !== null ? openDataKey(vault, verification_id, data_key) : null
  return entries.map((entry) => ({
    entry_id: entry.entry_id,
    type: entry.type,
    key_id: entry.key_id,
    reviewer: entry.reviewer,
    created_at: entry.created_at.toISOString(),
    decision: entry.decision,
    reasons: entry.reasons,
    artifact: entry.artifact,
    problem: entry.problem,
    note:
      entry.note === null || key === null ? null : openText(entry.note, notePlace(row, entry.entry_id, key)),
  }))
}

/** Converts a verification to what its reviewers see. */
export function toReview(
  row: VerificationRow,
  options: { vault: Vault; nowMs: number; policy: Policy; votes: readonly EntryRow[] },
): Review {
  const { vault, nowMs, policy, votes } = options
  const claim = claimOf(row, nowMs)
  return {
    verification: toVerification(row),
    policy: row.policy,
    reviewers_needed: policy.reviewers,
    checks: row.checks.map(({ check, outcome, code, score, evidence, places, model }) => ({
      check,
      outcome,
      code,
      score: toScore(score),
      evidence: { ...evidence },
      ...(places !== undefined && {
        places: places.map(({ corners, ...place }) => ({ ...place, corners: [...corners] })),
      }),
      model,
    })),
    media: row.data_key === null ? [] : row.artifacts.map(({ name, bytes }) => ({ artifact: name, bytes })),
    waiting_for: row.awaits_person ? 'person' : 'reviewer',
    due_at: dueAt(policy, row.created_at)?.toISOString() ?? null,
    claim: claim && {
      key_id: claim.keyId,
      reviewer: claim.reviewer,
      expires_at: claim.expiresAt.toISOString(),
    },
    votes: toEntries(vault, row, latestVotes(votes)),
  }
}
