import type { Clock } from '@vaani/service-kit/clock'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { createApiKey, hashApiKey } from '../../tenancy/api-key.ts'
import { FIRST_KEY_SCOPES } from '../../tenancy/first-key-scopes.ts'
import { insertKey } from '../../tenancy/key-rows.ts'
import { takeOperatorTurn } from '../../tenancy/operator-lock.ts'
import { createAccountRows } from './create-account-rows.ts'

/**
 * Creates the operator's account if the database has no accounts, with its first key if somebody will see it.
 *
 * @returns the new key, to be shown once; null if none was created, or it is the bootstrap key
 * @throws ConfigError if the bootstrap key is not a key of this database, because the operator would expect it to work
 */
export async function prepareFirstAccount(options: {
  database: Db
  clock: Clock
  makeId: IdMaker
  log: Logger
  /** Preset key, for scripts. */
  bootstrapKey: string | undefined
  /** Whether the caller shows a new key to a person. */
  showsKey: boolean
}): Promise<string | null> {
  const { database, clock, makeId, log, bootstrapKey, showsKey } = options
  return database.transaction().execute(async (tx) => {
    // Several processes may start concurrently on a new database.
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
    if (bootstrapKey === undefined && !showsKey) {
      log.warn('No key administers this server yet: --new-key creates one')
      return null
    }
    const key = bootstrapKey ?? createApiKey(false)
    await insertKey({
      tx,
      clock,
      makeId,
      key,
      accountId: account.account_id,
      name: 'First key',
      scopes: FIRST_KEY_SCOPES,
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
      'VAANI_BOOTSTRAP_API_KEY is not a key of this database, whose first key was set when it was created. Unset the variable or restore its former value; --new-key creates a new key',
    )
  if (row.revoked_at !== null) log.warn('VAANI_BOOTSTRAP_API_KEY is a revoked key')
}
