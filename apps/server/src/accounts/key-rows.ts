import type { Scope } from '@vaani/contracts'
import type { Selectable } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/connect.ts'
import type { ApiKeyTable } from '../database/schema.ts'
import type { IdMaker } from '../ids.ts'
import { hashApiKey, isLivemode, keyHint } from './api-key.ts'

/** Keeps the digest of a key; the key itself is kept nowhere. */
export async function insertKey(options: {
  database: Db
  clock: Clock
  makeId: IdMaker
  key: string
  accountId: string
  name: string
  scopes: readonly Scope[]
}): Promise<Selectable<ApiKeyTable>> {
  const { database, clock, makeId, key, accountId, name, scopes } = options
  return database
    .insertInto('api_keys')
    .values({
      key_id: makeId('key'),
      account_id: accountId,
      name,
      hash: hashApiKey(key),
      hint: keyHint(key),
      scopes: [...new Set(scopes)],
      livemode: isLivemode(key),
      created_at: new Date(clock.nowMs()),
      revoked_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
