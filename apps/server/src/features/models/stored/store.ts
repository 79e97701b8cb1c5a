import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'
import { claimAlone } from '@vaani/service-kit/work/accounts-in-turn'
import { type Selectable, sql } from 'kysely'
import type { StoredObjectTable } from '../tables.ts'
import { createUsageStore } from '../usage/store.ts'
import type { Tokens } from '../chat/tokens.ts'
import { claimOpen, type OpenClaim } from './claim-open.ts'

export type StoredRow = Selectable<StoredObjectTable>
export type Kind = StoredRow['kind']
/** What a row is made of, apart from its times. */
export type NewRow = Pick<StoredRow, 'kind' | 'object_id' | 'upstream' | 'model' | 'view'>
/** What a batch used: requests that were answered, and their tokens if the upstream reports them. */
export interface BatchUsage {
  requests: number
  tokens: Tokens | undefined
}

/** What an upstream says of a batch, and its usage if it has ended. */
export interface BatchChange {
  view: StoredRow['view']
  usage: BatchUsage | undefined
}

/** A part of a list, in the order in which objects were made. */
export interface StoredPage {
  /** The last object of the page before. */
  after: StoredRow | undefined
  limit: number
  order: 'asc' | 'desc'
  /** Of files; the others are left out. */
  purpose: string | undefined
}

/** Whose are the files and batches that upstreams keep. */
export interface StoredStore {
  find(tenant: Tenant, kind: Kind, id: string): Promise<StoredRow | undefined>
  list(tenant: Tenant, kind: Kind, page: StoredPage): Promise<StoredRow[]>
  /** Counts files, or batches that have not ended, up to the limit. */
  count(tenant: Tenant, kind: Kind, limit: number): Promise<number>
  /** Adds an object unless there is no room for it, and returns whether it did. A lock makes the limit exact. */
  add(tenant: Tenant, row: NewRow, limit: number): Promise<boolean>
  /** Adds the results of a batch, for which there is always room. */
  addResult(tenant: Tenant, row: NewRow): Promise<void>
  /** Writes what an upstream says of a batch. Counts the usage of one that has ended, once. */
  update(row: StoredRow, change: BatchChange): Promise<void>
  remove(tenant: Tenant, kind: Kind, id: string): Promise<void>
  /** Claims batches that have not ended and were not asked about lately, taking turns between accounts. */
  claimOpen(claim: OpenClaim): Promise<StoredRow[]>
  /** Deletes the batches that ended before then, and returns how many, at most some thousand. */
  forgetEnded(before: Date): Promise<number>
}

const FORGOTTEN_AT_ONCE = 1000

export function createStoredStore({ database, clock }: { database: Db; clock: Clock }): StoredStore {
  const rowsOf = (db: Db, { accountId, livemode }: Tenant, kind: Kind) =>
    db
      .selectFrom('stored_objects')
      .where('account_id', '=', accountId)
      .where('livemode', '=', livemode)
      .where('kind', '=', kind)

  async function count(db: Db, tenant: Tenant, { kind, limit }: { kind: Kind; limit: number }) {
    const counted = rowsOf(db, tenant, kind).where('ended_at', 'is', null)
    const rows = await counted.select('object_id').limit(limit).execute()
    return rows.length
  }

  async function insert(db: Db, { accountId, livemode }: Tenant, { view, ...row }: NewRow): Promise<void> {
    const now = new Date(clock.nowMs())
    await db
      .insertInto('stored_objects')
      .values({
        ...row,
        account_id: accountId,
        livemode,
        view: JSON.stringify(view),
        created_at: now,
        asked_at: now,
        ended_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  return {
    find: (tenant, kind, id) =>
      rowsOf(database, tenant, kind).where('object_id', '=', id).selectAll().executeTakeFirst(),
    list(tenant, kind, { after, limit, order, purpose }) {
      let query = rowsOf(database, tenant, kind).selectAll()
      if (purpose !== undefined) query = query.where(sql`view->>'purpose'`, '=', purpose)
      if (after !== undefined) {
        const follows = order === 'asc' ? sql`>` : sql`<`
        const place = sql`(${after.created_at}, ${after.object_id})`
        query = query.where(sql<boolean>`(created_at, object_id) ${follows} ${place}`)
      }
      return query.orderBy('created_at', order).orderBy('object_id', order).limit(limit).execute()
    },
    count: (tenant, kind, limit) => count(database, tenant, { kind, limit }),
    add: (tenant, row, limit) =>
      database.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${tenant.accountId}, 8))`.execute(tx)
        if ((await count(tx, tenant, { kind: row.kind, limit })) >= limit) return false
        await insert(tx, tenant, row)
        return true
      }),
    addResult: (tenant, row) => insert(database, tenant, row),
    update: (row, change) => update(database, row, { ...change, now: new Date(clock.nowMs()) }),
    async remove(tenant, kind, id) {
      await database
        .deleteFrom('stored_objects')
        .where('account_id', '=', tenant.accountId)
        .where('livemode', '=', tenant.livemode)
        .where('kind', '=', kind)
        .where('object_id', '=', id)
        .execute()
    },
    claimOpen: (claim) =>
      claimAlone(database, 'open batches', (tx) => claimOpen(tx, { ...claim, now: new Date(clock.nowMs()) })),
    forgetEnded: (before) => forgetEnded(database, before),
  }
}

const update = (
  database: Db,
  row: StoredRow,
  { view, usage, now }: BatchChange & { now: Date },
): Promise<void> =>
  database.transaction().execute(async (tx) => {
    const { account_id: accountId, livemode, model } = row
    const updated = await tx
      .updateTable('stored_objects')
      .set({ view: JSON.stringify(view), asked_at: now, ...(usage && { ended_at: now }) })
      .where('account_id', '=', accountId)
      .where('livemode', '=', livemode)
      .where('kind', '=', 'batch')
      .where('object_id', '=', row.object_id)
      .where('ended_at', 'is', null)
      .returning('object_id')
      .executeTakeFirst()
    if (updated === undefined || usage === undefined || usage.requests === 0) return
    const { requests, tokens } = usage
    await createUsageStore(tx).add([
      {
        tenant: { accountId, livemode },
        day: now.toISOString().slice(0, 10),
        model,
        requests,
        requests_without_usage: tokens === undefined ? requests : 0,
        prompt_tokens: tokens?.prompt ?? 0,
        completion_tokens: tokens?.completion ?? 0,
      },
    ])
  })

async function forgetEnded(database: Db, before: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from stored_objects where (account_id, livemode, kind, object_id) in (
      select account_id, livemode, kind, object_id from stored_objects
      where kind = 'batch' and ended_at is not null and ended_at < ${before}
      limit ${FORGOTTEN_AT_ONCE}
    )
  `.execute(database)
  return Number(numAffectedRows)
}
