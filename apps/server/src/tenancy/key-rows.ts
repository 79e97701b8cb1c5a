import type { Scope } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Tx } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Selectable } from 'kysely'
import { hashApiKey, isLivemode, keyHint } from './api-key.ts'
import { writeAudit } from './audit-log.ts'
import type { ApiKeyTable } from './tables.ts'

/** Inserts a key and its audit entry. Only the digest is stored, never the key itself. */
export async function insertKey(options: {
  tx: Tx
  clock: Clock
  makeId: IdMaker
  key: string
  /** By default that of the key's prefix. */
  livemode?: boolean
  /** By default the start of the key. */
  hint?: string
  accountId: string
  name: string
  scopes: readonly Scope[]
  /** Creator of the key, for the audit log: the id of a key, or a person at the machine. */
  actor: string
}): Promise<Selectable<ApiKeyTable>> {
  const { tx, clock, makeId, key, accountId, name, scopes, actor } = options
  const { livemode = isLivemode(key), hint = keyHint(key) } = options
  const now = new Date(clock.nowMs())
  const row = await tx
    .insertInto('api_keys')
    .values({
      key_id: makeId('key'),
      account_id: accountId,
      name,
      hash: hashApiKey(key),
      hint,
      scopes: [...new Set(scopes)],
      livemode,
      created_at: now,
      revoked_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await writeAudit(tx, {
    happened_at: now,
    action: 'key.created',
    actor,
    account_id: accountId,
    key_id: row.key_id,
  })
  return row
}
