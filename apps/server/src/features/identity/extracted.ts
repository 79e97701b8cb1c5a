import type { ExtractedFields } from '@vaani/identity-checks'
import type { Services } from '@vaani/service-kit/service/services'
import { openDataKey } from '@vaani/service-kit/vault/data-key'
import { openText, sealText } from '@vaani/service-kit/vault/sealed-bytes'
import type { Vault } from '@vaani/service-kit/vault/vault'
import { sql } from 'kysely'
import type { VerificationRow } from './tables.ts'
import { toExtracted } from './view.ts'

type Sealed = Pick<VerificationRow, 'verification_id' | 'data_key' | 'extracted'>

/** Key and place that seal extracted data, which binds it to its verification. */
const sealOf = (vault: Vault, verificationId: string, dataKey: Buffer) => ({
  key: openDataKey(vault, verificationId, dataKey),
  place: `${verificationId}/extracted`,
})

export const sealExtracted = (
  vault: Vault,
  { verification_id, data_key }: Pick<VerificationRow, 'verification_id' | 'data_key'>,
  extracted: ExtractedFields | null,
): Buffer | null =>
  extracted === null || data_key === null
    ? null
    : sealText(JSON.stringify(extracted), sealOf(vault, verification_id, data_key))

/**
 * @returns null if nothing was read, or it was erased
 * @throws VaultError
 */
export const openExtracted = (
  vault: Vault,
  { verification_id, data_key, extracted }: Sealed,
): ExtractedFields | null =>
  extracted === null || data_key === null
    ? null
    : JSON.parse(openText(extracted, sealOf(vault, verification_id, data_key)))

/** Field of a webhook that gets the extracted data, and the column of an event that asks for it. */
export const EXTRACTED = 'extracted'

/** Names the field in an event if the account has opted in, within the statement that writes the event. */
export const lateFieldOf = (accountId: string) => sql<string | null>`(
  select case when webhooks_include_extracted then ${EXTRACTED} end from accounts where account_id = ${accountId})`

/** Reads the field for an attempt, unless the account has opted out since the event. */
export const readForWebhook =
  ({ database, vault }: Pick<Services, 'database' | 'vault'>) =>
  async (verificationId: string): Promise<ReturnType<typeof toExtracted> | null | undefined> => {
    const row = await database
      .selectFrom('verifications')
      .innerJoin('accounts', 'accounts.account_id', 'verifications.account_id')
      .where('verification_id', '=', verificationId)
      .where('webhooks_include_extracted', '=', true)
      .select(['verification_id', 'data_key', 'extracted'])
      .executeTakeFirst()
    const extracted = row && openExtracted(vault, row)
    return extracted && toExtracted(extracted)
  }
