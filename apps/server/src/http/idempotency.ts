import { createHash } from 'node:crypto'
import { LIMITS } from '@vaani/contracts'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/connect.ts'
import { ApiError } from './api-error.ts'

/**
 * How long a first request may run before another may take its place: longer than any handler that keeps its answer,
 * so that only a crash is ever overtaken.
 */
const LOCK_MS = 60_000
const HOUR_MS = 3_600_000
const SWEEP_ROWS = 5000

export interface StoredAnswer {
  status: number
  /** The JSON text; null where the answer is made again (audio) or held a secret. */
  body: string | null
}

/** The claim of a request on its idempotency key. */
export interface IdempotencyClaim {
  accountId: string
  key: string
  /** Set where the handler has kept its answer in its own transaction. */
  kept: boolean
}

export interface IdempotentRequest {
  accountId: string
  key: string
  operation: string
  url: string
  body: unknown
}

export interface IdempotencyStore {
  /** Takes the key for this request, or gives the answer of the first one. */
  begin(request: IdempotentRequest): Promise<IdempotencyClaim | StoredAnswer>
  /** Keeps the answer; within `database` where that is a transaction. */
  keep(claim: IdempotencyClaim, answer: StoredAnswer, database?: Db): Promise<void>
  /** Frees the key of a request that did not succeed, so that it can be tried again. */
  release(claim: IdempotencyClaim): Promise<void>
  /** Deletes what is older than it is kept. */
  sweep(): Promise<void>
}

/** What tells two requests apart: operation, address and body. */
function fingerprintOf(request: IdempotentRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([request.operation, request.url, request.body ?? null]))
    .digest()
}

export function createIdempotencyStore(options: { database: Db; clock: Clock }): IdempotencyStore {
  const { database, clock } = options

  async function claim(request: IdempotentRequest, fingerprint: Buffer): Promise<boolean> {
    const now = new Date(clock.nowMs())
    const expired = new Date(now.getTime() - LIMITS.idempotencyHours * HOUR_MS)
    const locked_until = new Date(now.getTime() + LOCK_MS)
    const { rows } = await sql`
      insert into idempotency_keys (account_id, key, fingerprint, locked_until, created_at)
      values (${request.accountId}, ${request.key}, ${fingerprint}, ${locked_until}, ${now})
      on conflict (account_id, key) do update
        set fingerprint = excluded.fingerprint, locked_until = excluded.locked_until,
            created_at = excluded.created_at, status = null, body = null
        where idempotency_keys.created_at < ${expired}
          or (idempotency_keys.status is null and idempotency_keys.locked_until < ${now}
              and idempotency_keys.fingerprint = excluded.fingerprint)
      returning key`.execute(database)
    return rows.length > 0
  }

  return {
    async begin(request) {
      const { accountId, key } = request
      const fingerprint = fingerprintOf(request)
      if (await claim(request, fingerprint)) return { accountId, key, kept: false }
      const first = await database
        .selectFrom('idempotency_keys')
        .where('account_id', '=', accountId)
        .where('key', '=', key)
        .select(['fingerprint', 'status', 'body'])
        .executeTakeFirst()
      if (first !== undefined && !first.fingerprint.equals(fingerprint))
        throw new ApiError('idempotency_conflict', 'This Idempotency-Key was used for another request', {
          param: 'idempotency-key',
        })
      // No row: the first request has just failed and freed the key.
      if (first === undefined || first.status === null)
        throw new ApiError(
          'idempotency_conflict',
          'The first request with this Idempotency-Key is still running',
          {
            param: 'idempotency-key',
            retryAfterSeconds: 1,
          },
        )
      return { status: first.status, body: first.body }
    },
    async keep(claim, answer, on = database) {
      await on
        .updateTable('idempotency_keys')
        .set({ status: answer.status, body: answer.body })
        .where('account_id', '=', claim.accountId)
        .where('key', '=', claim.key)
        .execute()
      claim.kept = true
    },
    async release(claim) {
      await database
        .deleteFrom('idempotency_keys')
        .where('account_id', '=', claim.accountId)
        .where('key', '=', claim.key)
        .where('status', 'is', null)
        .execute()
    },
    async sweep() {
      const before = new Date(clock.nowMs() - LIMITS.idempotencyHours * HOUR_MS)
      await sql`
        delete from idempotency_keys where ctid in (
          select ctid from idempotency_keys where created_at < ${before} limit ${SWEEP_ROWS})`.execute(
        database,
      )
    },
  }
}
