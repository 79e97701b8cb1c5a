import type { Services } from '@vaani/service-kit/service/services'
import { FIRST_KEY_SCOPES } from '../../../tenancy/first-key-scopes.ts'
import { insertKey, restoreKey, revokeKeyRow } from '../../../tenancy/key-rows.ts'
import type { AdminPort } from '../../admin/port.ts'
import type { LicenseClaims } from '../rules/license.ts'
import { takeLicenseTurn } from './license-store.ts'

/** A server under a license issues none. */
const LICENSE_SCOPES = FIRST_KEY_SCOPES.filter((scope) => scope !== 'deploy:write')
const HINT_LENGTH = 12

/**
 * Makes the license a key of the account that this server was made for: created at the first start, and the same for every
 * later license. The license that was configured before is revoked as a key.
 */
export async function prepareAccount(options: {
  services: Pick<Services, 'database' | 'clock' | 'makeId'>
  admin: Pick<AdminPort, 'createAccount'>
  license: string
  claims: LicenseClaims
}): Promise<void> {
  const { services, admin, license, claims } = options
  const { database, clock, makeId } = services
  await database.transaction().execute(async (tx) => {
    await takeLicenseTurn(tx)
    const state = await tx.selectFrom('license_state').select(['account_id', 'key_id']).executeTakeFirst()
    const accountId =
      state?.account_id ?? (await admin.createAccount(tx, { name: 'Licensee', tier: 'enterprise' }))
    const keyId =
      (await restoreKey(tx, license)) ??
      (
        await insertKey({
          tx,
          clock,
          makeId,
          key: license,
          livemode: claims.livemode,
          hint: claims.jti.slice(0, HINT_LENGTH),
          accountId,
          name: `License ${claims.jti}`,
          scopes: LICENSE_SCOPES,
          actor: 'VAANI_LICENSE',
        })
      ).key_id
    if (state !== undefined && state.key_id !== keyId)
      await revokeKeyRow(tx, state.key_id, new Date(clock.nowMs()))
    await tx
      .insertInto('license_state')
      .values({ account_id: accountId, key_id: keyId, revocations: null })
      .onConflict((conflict) => conflict.column('single').doUpdateSet({ key_id: keyId }))
      .execute()
  })
}
