import { SCOPES } from '@vaani/contracts'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/connect.ts'
import type { IdMaker } from '../ids.ts'
import { createAccountRows } from './create-account-rows.ts'
import { createApiKey } from './api-key.ts'
import { insertKey } from './key-rows.ts'

const FIRST_START_LOCK = 7_204_118

/**
 * Makes the operator's account and its key on a database that has none.
 *
 * @returns the key, to be shown once, or null where there are accounts already
 */
export async function prepareFirstAccount(options: {
  database: Db
  clock: Clock
  makeId: IdMaker
  /** A key that is known beforehand, for scripts. */
  bootstrapKey: string | undefined
}): Promise<string | null> {
  const { database, clock, makeId, bootstrapKey } = options
  return database.transaction().execute(async (tx) => {
    // Several processes may start at once on one fresh database.
    await sql`select pg_advisory_xact_lock(${FIRST_START_LOCK})`.execute(tx)
    const existing = await tx.selectFrom('accounts').select('account_id').limit(1).executeTakeFirst()
    if (existing !== undefined) return null
    const account = await createAccountRows({
      tx,
      clock,
      makeId,
      account: {
        name: 'Operator',
        tier: 'pro',
        operator: true,
        callWebhookUrl: null,
        rateOverrides: {},
      },
    })
    const key = bootstrapKey ?? createApiKey(false)
    await insertKey({
      database: tx,
      clock,
      makeId,
      key,
      accountId: account.account_id,
      name: 'First key',
      scopes: SCOPES,
    })
    return key
  })
}
