import { SCOPES } from '@vaani/contracts'
import type { Services } from '@vaani/service-kit/service/services'
import { hashApiKey } from '../../../tenancy/api-key.ts'
import { insertKey } from '../../../tenancy/key-rows.ts'
import type { AdminPort } from '../../admin/port.ts'
import type { LicenseClaims } from '../rules/license.ts'
import { takeLicenseTurn } from './license-store.ts'

/** A server under a license issues none. */
const LICENSE_SCOPES = SCOPES.filter((scope) => scope !== 'deploy:write')
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
    const known = await tx
      .updateTable('api_keys')
      .set({ revoked_at: null })
      .where('hash', '=', hashApiKey(license))
      .returning('key_id')
      .executeTakeFirst()
    const key =
      known ??
      (await insertKey({
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
      }))
    if (state !== undefined && state.key_id !== key.key_id)
      await tx
        .updateTable('api_keys')
        .set({ revoked_at: new Date(clock.nowMs()) })
        .where('key_id', '=', state.key_id)
        .execute()
    await tx
      .insertInto('license_state')
      .values({ account_id: accountId, key_id: key.key_id, revocations: null })
      .onConflict((conflict) => conflict.column('single').doUpdateSet({ key_id: key.key_id }))
      .execute()
  })
}
