import { sql } from 'kysely'
import { binaryArray } from '../database/binary-array.ts'
import type { Db } from '../database/connect.ts'
import { keyIdOf, type Vault, VaultError } from '../vault/vault.ts'
import type { SealedColumn } from './sealed-column.ts'

/** Rows of a page, or what was sealed of it after a pause. */
export interface ResealedPage {
  read: number
  /** Of those, rows that were sealed under a former key. */
  former: number
  /** Of those, rows that are sealed under the current key now. The others were locked or changed by somebody else. */
  resealed: number
  /** Of those, rows that the vault cannot open. */
  unreadable: number
}

interface SealedRow {
  id: string
  sealed: Buffer | null
}

const PAGE_ROWS = 500

/**
 * Seals a column with the current key, page by page, in the order of its ids. It waits for no lock, and never replaces what
 * another connection has written, so it can run beside any number of processes. Stop at any page: what is done stays done.
 */
export async function* resealColumn(options: {
  database: Db
  vault: Vault
  column: SealedColumn
  /** Whether to count only. */
  isDryRun: boolean
  /** Rows that are sealed anew at once, at most. */
  mostRowsAtOnce: number
}): AsyncGenerator<ResealedPage> {
  const { database, vault, column, isDryRun, mostRowsAtOnce } = options
  let after = ''
  for (;;) {
    const rows = await readPage(database, column, after)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    const { former, given } = sealAnew(rows, vault, column)
    const replacing = isDryRun ? [] : given
    const resealed = await replace(database, column, replacing.slice(0, mostRowsAtOnce))
    yield { read: rows.length, former, resealed, unreadable: former - given.length }
    for (let at = mostRowsAtOnce; at < replacing.length; at += mostRowsAtOnce) {
      const part = replacing.slice(at, at + mostRowsAtOnce)
      yield { read: 0, former: 0, resealed: await replace(database, column, part), unreadable: 0 }
    }
  }
}

/** Reads with ties, because an id may have a row in each mode. */
async function readPage(
  database: Db,
  { table, column, id }: SealedColumn,
  after: string,
): Promise<SealedRow[]> {
  const { rows } = await sql<SealedRow>`
    select ${sql.ref(id)} as id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sql.ref(id)} > ${after}
    order by ${sql.ref(id)} fetch first ${sql.lit(PAGE_ROWS)} rows with ties`.execute(database)
  return rows
}

interface Replacement {
  id: string
  old: Buffer
  sealed: Buffer
}

function sealAnew(
  rows: readonly SealedRow[],
  vault: Vault,
  { ownerOf = (id) => id }: SealedColumn,
): { former: number; given: Replacement[] } {
  let former = 0
  const given: Replacement[] = []
  for (const { id, sealed: old } of rows) {
    if (old === null || keyIdOf(old).equals(vault.keyId)) continue
    former++
    const text = openOrNull(vault, old, ownerOf(id))
    if (text !== null) given.push({ id, old, sealed: vault.seal(text, ownerOf(id)) })
  }
  return { former, given }
}

function openOrNull(vault: Vault, sealed: Buffer, owner: string): string | null {
  try {
    return vault.open(sealed, owner)
  } catch (error) {
    if (error instanceof VaultError) return null
    throw error
  }
}

/** Replaces values that are still what was read. Sealed bytes contain a random nonce, so they identify their row. */
async function replace(
  database: Db,
  { table, column, id }: SealedColumn,
  given: readonly Replacement[],
): Promise<number> {
  if (given.length === 0) return 0
  const { rows } = await sql`
    with given as (
      select * from unnest(
        ${binaryArray.text(given.map((one) => one.id))}::text[],
        ${binaryArray.bytea(given.map(({ old }) => old))}::bytea[],
        ${binaryArray.bytea(given.map(({ sealed }) => sealed))}::bytea[]
      ) as given (id, old, sealed)
    ), free as (
      select one.ctid, given.sealed from ${sql.table(table)} one
      join given on one.${sql.ref(id)} = given.id and one.${sql.ref(column)} = given.old
      for update of one skip locked
    )
    update ${sql.table(table)} one set ${sql.ref(column)} = free.sealed
    from free where one.ctid = free.ctid returning 1`.execute(database)
  return rows.length
}
