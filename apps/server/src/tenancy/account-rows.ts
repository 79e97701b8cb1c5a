import type { Id } from '@vaani/contracts'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Selectable, Updateable } from 'kysely'
import type { AccountTable } from './tables.ts'

export type AccountRow = Selectable<AccountTable>

/** Lists accounts, the newest first: all of them, or only one. */
export function listAccountRows(
  database: Db,
  options: { only: Id<'account'> | null; cursor: Id<'account'> | undefined; limit: number },
): Promise<AccountRow[]> {
  const { only, cursor, limit } = options
  let query = database.selectFrom('accounts').selectAll()
  if (only !== null) query = query.where('account_id', '=', only)
  if (cursor !== undefined) query = query.where('account_id', '<', cursor)
  return query.orderBy('account_id', 'desc').limit(limit).execute()
}

export const updateAccountRow = (
  database: Db,
  accountId: Id<'account'>,
  changes: Updateable<AccountTable>,
): Promise<AccountRow> =>
  database
    .updateTable('accounts')
    .set(changes)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Finds the first account of an operator. */
export async function findOperator(database: Db): Promise<Id<'account'> | undefined> {
  const row = await database
    .selectFrom('accounts')
    .where('operator', '=', true)
    .select('account_id')
    .orderBy('account_id')
    .limit(1)
    .executeTakeFirst()
  return row?.account_id
}
