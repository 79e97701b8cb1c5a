import { SCOPES } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { createApiKey, hashApiKey } from '../../tenancy/api-key.ts'
import { insertKey } from '../../tenancy/key-rows.ts'
import { takeOperatorTurn } from '../../tenancy/operator-lock.ts'
import { createAccountRows } from './create-account-rows.ts'

/**
 * Makes the operator's account and its key on a database that has none.
 *
 * @returns the key, to be shown once, or null if it is known already
 * @throws ConfigError if the given key is not one of this database: whoever gave it would believe that it works
 */
export async function prepareFirstAccount(options: {
  database: Db
  clock: Clock
  makeId: IdMaker
  log: Logger
  /** A key that is known beforehand, for scripts. */
  bootstrapKey: string | undefined
}): Promise<string | null> {
  const { database, clock, makeId, log, bootstrapKey } = options
  return database.transaction().execute(async (tx) => {
    // Several processes may start at once on one fresh database.
    await takeOperatorTurn(tx)
    const existing = await tx.selectFrom('accounts').select('account_id').limit(1).executeTakeFirst()
    if (existing !== undefined) {
      if (bootstrapKey !== undefined) await requireOwnKey(tx, bootstrapKey, log)
      return null
    }
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
      tx,
      clock,
      makeId,
      key,
      accountId: account.account_id,
      name: 'First key',
      scopes: SCOPES,
      actor: bootstrapKey === undefined ? 'first start' : 'VAANI_BOOTSTRAP_API_KEY',
    })
    return bootstrapKey === undefined ? key : null
  })
}

async function requireOwnKey(tx: Tx, bootstrapKey: string, log: Logger): Promise<void> {
  const row = await tx
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.account_id', 'api_keys.account_id')
    .where('hash', '=', hashApiKey(bootstrapKey))
    .where('operator', '=', true)
    .select('revoked_at')
    .executeTakeFirst()
  if (row === undefined)
    throw new ConfigError(
      'VAANI_BOOTSTRAP_API_KEY is not a key of this database, which took its first key when it was made. Unset the variable or give it its former value; --new-key makes a new key',
    )
  if (row.revoked_at !== null) log.warn('VAANI_BOOTSTRAP_API_KEY is a key that has been revoked')
}
