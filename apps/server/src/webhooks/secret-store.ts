import { randomBytes } from 'node:crypto'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/connect.ts'
import type { WebhookSecretTable } from '../database/schema.ts'
import type { Vault } from '../secrets/vault.ts'

/** The endpoint, or the account where there is none. */
export interface SecretOwner {
  ownerId: string
  accountId: string
}

export interface SigningSecrets {
  /** The one that also signs `X-Service-Signature` first. */
  secrets: readonly string[]
  version: number
  /** When the previous one ends, in milliseconds since the epoch; null without one. */
  previousUntilMs: number | null
}

export interface SecretStore {
  /** A new secret; the previous one signs as well for the time of the overlap. */
  rotate(owner: SecretOwner, overlapMs: number): Promise<{ secret: string; previousUntil: Date | null }>
  /** The secrets to sign with now. An account's first is made when it is first needed. */
  read(owner: SecretOwner): Promise<SigningSecrets>
}

const SECRET_BYTES = 32

/** As Standard Webhooks write a secret, so that any of its libraries takes it. */
const makeSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

export function createSecretStore(options: { database: Db; vault: Vault; clock: Clock }): SecretStore {
  const { database, vault, clock } = options

  const newRow = ({ ownerId, accountId }: SecretOwner, secret: string): Insertable<WebhookSecretTable> => ({
    owner_id: ownerId,
    account_id: accountId,
    sealed: vault.seal(secret, ownerId),
    previous_sealed: null,
    previous_until: null,
  })

  function open(row: Selectable<WebhookSecretTable>): SigningSecrets {
    const { owner_id, sealed, previous_sealed, previous_until } = row
    const current = vault.open(sealed, owner_id)
    const overlaps =
      previous_sealed !== null && previous_until !== null && previous_until.getTime() > clock.nowMs()
    return {
      // The previous one first: a receiver that knows only that one goes on until the overlap ends.
      secrets: overlaps ? [vault.open(previous_sealed, owner_id), current] : [current],
      version: row.version,
      previousUntilMs: overlaps ? previous_until.getTime() : null,
    }
  }

  const find = (db: Db, ownerId: string) =>
    db.selectFrom('webhook_secrets').where('owner_id', '=', ownerId).selectAll()

  return {
    async rotate(owner, overlapMs) {
      const secret = makeSecret()
      const until = overlapMs > 0 ? new Date(clock.nowMs() + overlapMs) : null
      const row = await database
        .insertInto('webhook_secrets')
        .values(newRow(owner, secret))
        .onConflict((conflict) =>
          conflict.column('owner_id').doUpdateSet(({ ref }) => ({
            sealed: ref('excluded.sealed'),
            previous_sealed: until === null ? null : ref('webhook_secrets.sealed'),
            previous_until: until,
            version: sql<number>`webhook_secrets.version + 1`,
          })),
        )
        .returning('previous_until')
        .executeTakeFirstOrThrow()
      return { secret, previousUntil: row.previous_until }
    },
    async read(owner) {
      const existing = await find(database, owner.ownerId).executeTakeFirst()
      if (existing) return open(existing)
      await database
        .insertInto('webhook_secrets')
        .values(newRow(owner, makeSecret()))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return open(await find(database, owner.ownerId).executeTakeFirstOrThrow())
    },
  }
}
