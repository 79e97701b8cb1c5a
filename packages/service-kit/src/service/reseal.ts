import type { Db } from '../database/connect.ts'
import type { Vault } from '../vault/vault.ts'
import { resealColumn, type ResealedPage } from './reseal-column.ts'
import type { SealedColumn } from './sealed-column.ts'

/** Rows of a column in one pass. */
export type ResealedColumn = ResealedPage & Pick<SealedColumn, 'table' | 'column'>

/** Passes that may find something sealed meanwhile, by processes that still run with the former setting. */
const MOST_PASSES = 5

/**
 * Seals all columns with the current key of the vault, until a pass finds nothing under a former one. Interrupted, it goes on from
 * what is left. A dry run is one pass that changes nothing.
 *
 * @returns how many rows are still sealed under a former key, and how many of these cannot be opened
 */
export async function reseal(options: {
  database: Db
  vault: Vault
  columns: readonly SealedColumn[]
  isDryRun: boolean
  /** Rows that are sealed anew at once, at most. */
  mostRowsAtOnce: number
  /** Called after each page or part of it, with the counts of its column so far. The next one waits for it. */
  onPage(soFar: ResealedColumn, page: ResealedPage): Promise<void>
  /** Called at the end of each column. */
  onColumn(counts: ResealedColumn): void
}): Promise<{ former: number; unreadable: number }> {
  const { columns, isDryRun } = options
  for (let passes = 1; ; passes++) {
    const left = { former: 0, unreadable: 0 }
    for (const column of columns) {
      const { former, unreadable } = await passOver(column, options)
      left.former += former
      left.unreadable += unreadable
    }
    if (isDryRun || left.former === left.unreadable || passes === MOST_PASSES) return left
  }
}

type PassOptions = Omit<Parameters<typeof reseal>[0], 'columns'>

async function passOver(column: SealedColumn, options: PassOptions): Promise<ResealedColumn> {
  const { table, column: name } = column
  let soFar: ResealedColumn = { table, column: name, read: 0, former: 0, resealed: 0, unreadable: 0 }
  for await (const page of resealColumn({ ...options, column })) {
    soFar = {
      ...soFar,
      read: soFar.read + page.read,
      former: soFar.former + page.former,
      resealed: soFar.resealed + page.resealed,
      unreadable: soFar.unreadable + page.unreadable,
    }
    await options.onPage(soFar, page)
  }
  options.onColumn(soFar)
  return soFar
}
