import type { Id } from '@vaani/contracts'
import { anyOf } from '@vaani/service-kit/database/any-of'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ListedNumberTable } from './tables.ts'

export type ListedNumberRow = Selectable<ListedNumberTable>

/** Whose list it is: of an account and mode, or of the server. */
export type Owner = Tenant | 'server'

export interface ListedNumberStore {
  /** Adds a number. One that is on the list already is returned as it is. */
  add(row: ListedNumberRow): Promise<ListedNumberRow>
  /** Adds numbers of one list, all or none. @returns how many were not on it before */
  addAll(rows: readonly ListedNumberRow[]): Promise<number>
  find(owner: Owner, phoneNumber: string): Promise<ListedNumberRow | undefined>
  /** Lists the numbers, newest first. Returns one row more than the limit if there are more. */
  list(owner: Owner, page: { limit: number; cursor: string | undefined }): Promise<ListedNumberRow[]>
  /** @returns whether it was on the list */
  remove(owner: Owner, listedNumberId: Id<'listed_number'>): Promise<boolean>
}

const isOf = (owner: Owner): RawBuilder<boolean> =>
  owner === 'server'
    ? sql`account_id is null`
    : sql`account_id = ${anyOf(owner.accountId)} and livemode = ${owner.livemode}`

export function createListedNumberStore(database: Db): ListedNumberStore {
  const find: ListedNumberStore['find'] = (owner, phoneNumber) =>
    database
      .selectFrom('do_not_call')
      .where(isOf(owner))
      .where('phone_number', '=', phoneNumber)
      .selectAll()
      .executeTakeFirst()
  return {
    async add(row) {
      for (;;) {
        if ((await insert(database, [row])) === 1) return row
        // Unless it was removed in the meantime.
        const found = await find(ownerOf(row), row.phone_number)
        if (found !== undefined) return found
      }
    },
    addAll: (rows) => insert(database, rows),
    find,
    list(owner, { limit, cursor }) {
      let query = database.selectFrom('do_not_call').where(isOf(owner)).selectAll()
      if (cursor !== undefined) query = query.where(sql<boolean>`listed_number_id < ${cursor}`)
      if (owner !== 'server') query = query.orderBy('account_id')
      return query
        .orderBy('listed_number_id', 'desc')
        .limit(limit + 1)
        .execute()
    },
    async remove(owner, listedNumberId) {
      const { numDeletedRows } = await database
        .deleteFrom('do_not_call')
        .where('listed_number_id', '=', listedNumberId)
        .where(isOf(owner))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

const ownerOf = ({ account_id: accountId, livemode }: ListedNumberRow): Owner =>
  accountId === null || livemode === null ? 'server' : { accountId, livemode }

async function insert(database: Db, rows: readonly ListedNumberRow[]): Promise<number> {
  // In one order, so that two imports of the same numbers wait for each other instead of forming a deadlock.
  const ordered = rows.toSorted((a, b) => (a.phone_number < b.phone_number ? -1 : 1))
  const column = <Value>(read: (row: ListedNumberRow) => Value): Value[] => ordered.map(read)
  const { numAffectedRows } = await sql`
    insert into do_not_call (listed_number_id, account_id, livemode, phone_number, reason, source, created_at)
    select * from unnest(
      ${column((row) => row.listed_number_id)}::text[],
      ${column((row) => row.account_id)}::text[],
      ${column((row) => row.livemode)}::boolean[],
      ${column((row) => row.phone_number)}::text[],
      ${column((row) => row.reason)}::text[],
      ${column((row) => row.source)}::text[],
      ${column((row) => row.created_at)}::timestamptz[])
    on conflict do nothing`.execute(database)
  return Number(numAffectedRows)
}
