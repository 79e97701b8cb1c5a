import { randomBytes } from 'node:crypto'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { Vault } from '@vaani/service-kit/vault/vault'
import { type Selectable, sql } from 'kysely'
import type { WebhookSecretTable } from './tables.ts'

/** Owner of a secret: an endpoint, or the tenant itself for callback URLs and its call webhook. */
export interface SecretOwner extends Tenant {
  /** Id of the endpoint or the account. */
  ownerId: string
}

export const ownerOf = ({ accountId, livemode }: Tenant, endpointId?: string | null): SecretOwner => ({
  ownerId: endpointId ?? accountId,
  accountId,
  livemode,
})

export interface SigningSecrets {
  /** The first secret signs the header that holds a single signature. */
  secrets: readonly [string, ...string[]]
  version: number
  /** When the previous secret ends, in milliseconds since the epoch; null without one. */
  previousUntilMs: number | null
}

export interface Rotation {
  /** How long the previous secret continues to sign. */
  overlapMs: number
  /** Secret that signs the single-signature header during the overlap. */
  signWith: 'new' | 'previous'
}

export interface SecretStore {
  /** Makes a secret, which the caller must show. Nothing else makes secrets, so every secret that signs has been shown. */
  rotate(
    db: Db,
    owner: SecretOwner,
    rotation?: Rotation,
  ): Promise<{ secret: string; previousUntil: Date | null }>
  /** Reads the secrets to sign with now; null if there are none. */
  read(owner: SecretOwner): Promise<SigningSecrets | null>
  /** Reads until when the previous secret signs, without opening any; null if it does not. */
  readOverlapEnd(owner: SecretOwner): Promise<Date | null>
}

const SECRET_BYTES = 32
const AT_ONCE: Rotation = { overlapMs: 0, signWith: 'new' }

/** Makes a secret in the format of Standard Webhooks, which all of its libraries accept. */
const makeSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

export function createSecretStore(options: { database: Db; vault: Vault; clock: Clock }): SecretStore {
  const { database, vault, clock } = options

  function open(row: Selectable<WebhookSecretTable>): SigningSecrets {
    const { owner_id, sealed, previous_sealed, previous_until, version } = row
    const current = vault.open(sealed, owner_id)
    const overlaps =
      previous_sealed !== null && previous_until !== null && previous_until.getTime() > clock.nowMs()
    if (!overlaps) return { secrets: [current], version, previousUntilMs: null }
    const previous = vault.open(previous_sealed, owner_id)
    return {
      secrets: row.previous_signs ? [previous, current] : [current, previous],
      version,
      previousUntilMs: previous_until.getTime(),
    }
  }

  return {
    async rotate(db, owner, { overlapMs, signWith } = AT_ONCE) {
      const secret = makeSecret()
      const until = overlapMs > 0 ? new Date(clock.nowMs() + overlapMs) : null
      const row = await db
        .insertInto('webhook_secrets')
        .values({
          owner_id: owner.ownerId,
          livemode: owner.livemode,
          account_id: owner.accountId,
          sealed: vault.seal(secret, owner.ownerId),
        })
        .onConflict((conflict) =>
          conflict.columns(['owner_id', 'livemode']).doUpdateSet(({ ref }) => ({
            sealed: ref('excluded.sealed'),
            previous_sealed: until === null ? null : ref('webhook_secrets.sealed'),
            previous_until: until,
            previous_signs: signWith === 'previous',
            version: sql<number>`webhook_secrets.version + 1`,
          })),
        )
        .returning('previous_until')
        .executeTakeFirstOrThrow()
      return { secret, previousUntil: row.previous_until }
    },
    async read({ ownerId, livemode }) {
      const row = await database
        .selectFrom('webhook_secrets')
        .where('owner_id', '=', ownerId)
        .where('livemode', '=', livemode)
        .selectAll()
        .executeTakeFirst()
      return row ? open(row) : null
    },
    async readOverlapEnd({ ownerId, livemode }) {
      const row = await database
        .selectFrom('webhook_secrets')
        .where('owner_id', '=', ownerId)
        .where('livemode', '=', livemode)
        .where('previous_until', '>', new Date(clock.nowMs()))
        .select('previous_until')
        .executeTakeFirst()
      return row?.previous_until ?? null
    },
  }
}
