import { LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { concurrencyOf, tooManyAtOnce } from '@vaani/service-kit/http/limits/rate-limits'
import type { Principal } from '@vaani/service-kit/http/principal'
import type { Kind, NewRow, StoredStore } from './store.ts'

/** Limit on undoing what an upstream has made. */
const UNDO_MS = 30_000

/** @throws ApiError if the account has too many files, or batches that have not ended, in this mode */
export async function requireRoom(store: StoredStore, principal: Principal, kind: Kind): Promise<void> {
  const limit = limitOf(kind, principal)
  if ((await store.count(principal, kind, limit)) >= limit) throw overLimit(kind, limit)
}

/** Counts what `requireRoom` limits. */
export const countStored = (store: StoredStore, principal: Principal, kind: Kind): Promise<number> =>
  store.count(principal, kind, limitOf(kind, principal))

/**
 * Adds what an upstream has made. Undoes it there if it cannot be added.
 *
 * @throws ApiError if the account has too many
 */
export async function addWithinLimit(
  store: StoredStore,
  principal: Principal,
  { row, undo }: { row: NewRow; undo: (signal: AbortSignal) => Promise<unknown> },
): Promise<void> {
  const limit = limitOf(row.kind, principal)
  try {
    if (!(await store.add(principal, row, limit))) throw overLimit(row.kind, limit)
  } catch (error) {
    // It expires at the upstream if this fails too.
    await undo(AbortSignal.timeout(UNDO_MS)).catch(() => undefined)
    throw error
  }
}

/** Batches are counted apart from those of POST /v1/batch. */
const limitOf = (kind: Kind, principal: Principal): number =>
  kind === 'file' ? LIMITS.storedFilesPerAccount : concurrencyOf('unfinished_batches', principal).limit

const overLimit = (kind: Kind, limit: number): ApiError =>
  kind === 'batch'
    ? tooManyAtOnce('unfinished_batches', limit)
    : new ApiError(
        'state_conflict',
        `The account already has ${limit} files, which is the maximum: delete some`,
      )
