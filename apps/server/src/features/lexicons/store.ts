import { LIMITS } from '@vaani/contracts'
import type { Clock } from '@vaani/service-kit/clock'
import type { Db, Tx } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { LexiconEntry } from '@vaani/speech'
import { CompiledQuery, type Selectable, sql } from 'kysely'
import { versionOf } from './rules/version-of.ts'
import type { LexiconTable } from './tables.ts'

export type LexiconRow = Selectable<LexiconTable>
export type LexiconSummaryRow = Omit<LexiconRow, 'entries'>
/** What identifies the entries of a language. */
export type LexiconVersion = Pick<LexiconRow, 'language' | 'version'>

export interface LexiconStore {
  list(tenant: Tenant): Promise<LexiconSummaryRow[]>
  count(tenant: Tenant): Promise<number>
  find(tenant: Tenant, language: string): Promise<LexiconRow | undefined>
  /** Finds which of two languages has a lexicon; the first one goes before the second. */
  findVersion(
    tenant: Tenant,
    languages: readonly [first: string, second: string],
  ): Promise<LexiconVersion | undefined>
  /**
   * Replaces the entries of a language.
   *
   * @param lexicon.replaces version that must be stored, unless these entries are; undefined to replace any or none
   */
  replace(
    tenant: Tenant,
    lexicon: { language: string; entries: readonly LexiconEntry[]; replaces: string | undefined },
  ): Promise<LexiconRow | 'other_version' | 'no_room'>
  /** Returns whether there was a lexicon. */
  remove(tenant: Tenant, language: string): Promise<boolean>
}

// Hand-written for speed, because requests for speech wait for it.
const FIND_VERSION = `
  select language, version from lexicons
  where account_id = $1 and livemode = $2 and language in ($3, $4)`

export function createLexiconStore({ database, clock }: { database: Db; clock: Clock }): LexiconStore {
  const lexiconsOf = (on: Db | Tx, { accountId, livemode }: Tenant) =>
    on.selectFrom('lexicons').where('account_id', '=', accountId).where('livemode', '=', livemode)
  return {
    list: (tenant) =>
      lexiconsOf(database, tenant)
        .select(['account_id', 'livemode', 'language', 'version', 'entry_count', 'updated_at'])
        .orderBy('language')
        .execute(),
    async count(tenant) {
      const languages = await lexiconsOf(database, tenant).select('language').execute()
      return languages.length
    },
    find: (tenant, language) =>
      lexiconsOf(database, tenant).where('language', '=', language).selectAll().executeTakeFirst(),
    async findVersion({ accountId, livemode }, languages) {
      const { rows } = await database.executeQuery<LexiconVersion>(
        CompiledQuery.raw(FIND_VERSION, [accountId, livemode, ...languages]),
      )
      return rows.find(({ language }) => language === languages[0]) ?? rows[0]
    },
    replace: (tenant, { language, entries, replaces }) =>
      database.transaction().execute(async (tx) => {
        await lockLexicons(tx, tenant)
        const stored = await lexiconsOf(tx, tenant).select(['language', 'version']).execute()
        const known = stored.find((row) => row.language === language)
        const version = versionOf(entries)
        // The same entries may come from an attempt whose answer was lost.
        if (replaces !== undefined && known?.version !== replaces && known?.version !== version)
          return 'other_version'
        if (known === undefined && stored.length >= LIMITS.lexiconsPerAccount) return 'no_room'
        const row = {
          account_id: tenant.accountId,
          livemode: tenant.livemode,
          language,
          version,
          entries: JSON.stringify(entries),
          entry_count: entries.length,
          updated_at: new Date(clock.nowMs()),
        }
        return tx
          .insertInto('lexicons')
          .values(row)
          .onConflict((conflict) => conflict.columns(['account_id', 'livemode', 'language']).doUpdateSet(row))
          .returningAll()
          .executeTakeFirstOrThrow()
      }),
    async remove({ accountId, livemode }, language) {
      const { numDeletedRows } = await database
        .deleteFrom('lexicons')
        .where('account_id', '=', accountId)
        .where('livemode', '=', livemode)
        .where('language', '=', language)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

/** Makes the limit and the comparison of versions exact under concurrent requests. */
async function lockLexicons(tx: Tx, { accountId }: Tenant): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${accountId}, 3))`.execute(tx)
}
