import { createHash } from 'node:crypto'
import { LIMITS } from '@vaani/contracts'
import { type Generated, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Clock } from '../../clock.ts'
import type { Tx } from '../../database/connect.ts'
import type { Queryable } from '../../database/transaction.ts'
import type { Tenant } from '../../tenant.ts'
import { ApiError } from '../errors/api-error.ts'
import { createReleaser } from './release-later.ts'

/** Says that a response was stored for an earlier request with the same Idempotency-Key. */
export const REPLAYED_HEADER = 'idempotent-replayed'

/**
 * How long a first request may run before another may take over its key. Longer than any handler that stores its response, so
 * that only crashed requests are ever overtaken.
 */
const LOCK_MS = 60_000
const HOUR_MS = 3_600_000
const SWEEP_ROWS = 5000

export interface IdempotencyTable {
  account_id: string
  livemode: boolean
  key: string
  fingerprint: Buffer
  status: number | null
  body: string | null
  /** Object that the response is about, if it contains personal data. */
  object_id: Generated<string | null>
  locked_until: Date
  created_at: Date
}

declare module '../../database/connect.ts' {
  interface Tables {
    idempotency_keys: IdempotencyTable
  }
}

export interface StoredAnswer {
  status: number
  /** The JSON text; null if the response is generated again (audio) or contained a secret. */
  body: string | null
}

/** The claim of a request on its idempotency key. */
export interface IdempotencyClaim {
  tenant: Tenant
  key: string
  /** End of this request's lock on the key. Distinguishes it from a later request that took over. */
  lockedUntil: Date
  /** Whether the handler has stored its response in its own transaction. */
  kept: boolean
  /** Object that the response is about. A handler sets it so that `rewriteAnswers` finds the response. */
  objectId?: string
  /** Removes from the response what must not be stored; a repetition gets the rest. A handler sets it. */
  redact?: (body: string) => string
}

export interface IdempotentRequest {
  tenant: Tenant
  key: string
  operation: string
  url: string
  /** Digest of the received content. */
  content: Buffer
}

export interface IdempotencyStore {
  /** Claims the key for this request, or returns the response to the first one. */
  begin(request: IdempotentRequest): Promise<IdempotencyClaim | StoredAnswer>
  /**
   * Stores the response, in the transaction of `client` if given.
   *
   * @throws ApiError `idempotency_conflict` if another request took over the key, which rolls this request's work back
   */
  keep(claim: IdempotencyClaim, answer: StoredAnswer, client?: Queryable): Promise<void>
  /** Rewrites the stored responses about these objects, in the transaction `tx`. */
  rewriteAnswers(tx: Tx, objectIds: readonly string[], rewrite: (body: string) => string): Promise<void>
  /** Frees the key of a failed request, so that it can be retried. If the database is down, frees it later. */
  release(claim: IdempotencyClaim): Promise<void>
  /** Deletes expired keys. */
  sweep(): Promise<void>
}

/** Computes what identifies a request: a digest of operation, URL and content. */
function fingerprintOf({ operation, url, content }: IdempotentRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([operation, url, content.toString('hex')]))
    .digest()
}

const CLAIM = `
  insert into idempotency_keys (account_id, livemode, key, fingerprint, locked_until, created_at)
  values ($1, $7, $2, $3, $4, $5)
  on conflict (account_id, livemode, key) do update
    set fingerprint = excluded.fingerprint, locked_until = excluded.locked_until,
        created_at = excluded.created_at, status = null, body = null
    where idempotency_keys.created_at < $6
      or (idempotency_keys.status is null and idempotency_keys.locked_until < $5
          and idempotency_keys.fingerprint = excluded.fingerprint)`
const FIRST =
  'select fingerprint, status, body from idempotency_keys where account_id = $1 and key = $2 and livemode = $3'
const KEEP = `
  update idempotency_keys set status = $4, body = $5
  where account_id = $1 and key = $2 and locked_until = $3 and livemode = $6 and status is null`
/** A separate statement, because the column exists only in services that erase objects. */
const KEEP_ABOUT = KEEP.replace('body = $5', 'body = $5, object_id = $7')
const RELEASE = `
  delete from idempotency_keys
  where account_id = $1 and key = $2 and locked_until = $3 and livemode = $4 and status is null`
// Deletes by an array, because a join might read the whole table.
const SWEEP = `delete from idempotency_keys where ctid = any (array(
  select ctid from idempotency_keys where created_at < $1 order by created_at limit ${SWEEP_ROWS}))`

interface FirstRequest {
  fingerprint: Buffer
  status: number | null
  body: string | null
}

export function createIdempotencyStore(options: { pool: Pool; clock: Clock }): IdempotencyStore {
  const { pool, clock } = options
  const expiryOf = (nowMs: number) => new Date(nowMs - LIMITS.idempotencyHours * HOUR_MS)

  async function claim(
    { tenant, key }: IdempotentRequest,
    fingerprint: Buffer,
  ): Promise<IdempotencyClaim | undefined> {
    const nowMs = clock.nowMs()
    const lockedUntil = new Date(nowMs + LOCK_MS)
    const { accountId, livemode } = tenant
    const values = [accountId, key, fingerprint, lockedUntil, new Date(nowMs), expiryOf(nowMs), livemode]
    const { rowCount } = await pool.query({ name: 'idempotency.claim', text: CLAIM, values })
    return rowCount === 1 ? { tenant, key, lockedUntil, kept: false } : undefined
  }

  const conflict = (message: string, more: { retryAfterSeconds?: number } = {}) =>
    new ApiError('idempotency_conflict', message, { param: 'idempotency-key', ...more })

  return {
    async begin(request) {
      const { tenant, key } = request
      const fingerprint = fingerprintOf(request)
      const claimed = await claim(request, fingerprint)
      if (claimed) return claimed
      const { rows } = await pool.query<FirstRequest>(FIRST, [tenant.accountId, key, tenant.livemode])
      const first = rows[0]
      if (first !== undefined && !first.fingerprint.equals(fingerprint))
        throw conflict('This Idempotency-Key was used for another request')
      // No row means that the first request has just failed and freed the key.
      if (first === undefined || first.status === null)
        throw conflict('The first request with this Idempotency-Key is still running', {
          retryAfterSeconds: 1,
        })
      return { status: first.status, body: first.body }
    },
    async keep(claim, { status, body }, client = pool) {
      const { tenant, key, lockedUntil } = claim
      const values = [tenant.accountId, key, lockedUntil, status, body, tenant.livemode]
      const { rowCount } = await client.query(
        claim.objectId === undefined
          ? { name: 'idempotency.keep', text: KEEP, values }
          : { name: 'idempotency.keep_about', text: KEEP_ABOUT, values: [...values, claim.objectId] },
      )
      if (rowCount !== 1)
        throw conflict('Another request took over this Idempotency-Key', { retryAfterSeconds: 1 })
      claim.kept = true
    },
    async rewriteAnswers(tx, objectIds, rewrite) {
      const answers = await tx
        .selectFrom('idempotency_keys')
        .where('object_id', '=', sql<string>`any (${objectIds}::text[])`)
        .where('body', 'is not', null)
        .select(['account_id', 'livemode', 'key', 'body'])
        .forUpdate()
        .execute()
      for (const { account_id, livemode, key, body } of answers)
        await tx
          .updateTable('idempotency_keys')
          .set({ body: body && rewrite(body) })
          .where('account_id', '=', account_id)
          .where('livemode', '=', livemode)
          .where('key', '=', key)
          .execute()
    },
    release: createReleaser<IdempotencyClaim>({
      free: ({ tenant, key, lockedUntil }) =>
        pool.query(RELEASE, [tenant.accountId, key, lockedUntil, tenant.livemode]),
      clock,
    }),
    async sweep() {
      while ((await pool.query(SWEEP, [expiryOf(clock.nowMs())])).rowCount === SWEEP_ROWS);
    },
  }
}
