import type { Tier } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Insertable, Selectable } from 'kysely'
import type { AccountTable } from '../../tenancy/tables.ts'
import { insertDefaultAgents } from '../agents/port.ts'

export interface NewAccount {
  name: string
  tier: Tier
  operator: boolean
  /** Call webhook of the live mode. */
  callWebhookUrl: string | null
  testCallWebhookUrl?: string | null
  rateOverrides: object
  identityPolicy?: string | null
  mediaRetentionDays?: number | null
  recordingRetentionDays?: number | null
  webhooksIncludeExtracted?: boolean
}

/** Writes an account and the default agents of both modes. Must run in a transaction. */
export async function createAccountRows(options: {
  tx: Db
  clock: Clock
  makeId: IdMaker
  account: NewAccount
}): Promise<Selectable<AccountTable>> {
  const { tx, clock, makeId, account } = options
  const row: Insertable<AccountTable> = {
    account_id: makeId('account'),
    name: account.name,
    tier: account.tier,
    operator: account.operator,
    call_webhook_url: account.callWebhookUrl,
    test_call_webhook_url: account.testCallWebhookUrl ?? null,
    rate_overrides: JSON.stringify(account.rateOverrides),
    identity_policy: account.identityPolicy ?? null,
    media_retention_days: account.mediaRetentionDays ?? null,
    recording_retention_days: account.recordingRetentionDays ?? null,
    webhooks_include_extracted: account.webhooksIncludeExtracted ?? false,
    created_at: new Date(clock.nowMs()),
  }
  const created = await tx.insertInto('accounts').values(row).returningAll().executeTakeFirstOrThrow()
  await insertDefaultAgents(tx, created.account_id)
  return created
}
