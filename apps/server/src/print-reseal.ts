import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '@vaani/service-kit/clock'
import { openDatabase } from '@vaani/service-kit/database/open-database'
import { requireDatabase } from '@vaani/service-kit/database/require-database'
import { loadVault } from '@vaani/service-kit/service/load-vault'
import { reseal, type ResealedColumn } from '@vaani/service-kit/service/reseal'
import { retireKeys } from '@vaani/service-kit/service/vault-keys'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { type Config, features } from './features.ts'

export interface ResealOptions {
  isDryRun: boolean
  /** Rows that are sealed anew in a second, at most. */
  rowsPerSecond: number
  /** Ends it before the next page. */
  signal: AbortSignal
  print: (text: string) => void
}

const DATABASE_WAIT_MS = 60_000
/** Rows read between two lines of progress. */
const PROGRESS_ROWS = 50_000

/**
 * Seals everything in the database with the first encryption key, or only counts what the others seal, and prints its progress.
 *
 * @returns whether nothing is left under another key
 * @throws ConfigError if there is no database of a server, or something is sealed under a key that is not configured
 */
export async function printReseal(config: Config, options: ResealOptions): Promise<boolean> {
  const { isDryRun, signal, print } = options
  await requireDatabase(config)
  await using held = new AsyncDisposableStack()
  // Silent, because log lines would be taken for results.
  const log = createLogger('silent')
  const { migrations, sealed } = features
  const opening = { settings: config, migrations, log, held, waitMs: DATABASE_WAIT_MS, signal }
  const { database } = await openDatabase(opening)
  const vault = await loadVault({ settings: config, database, sealed, formerKeyAdvice: '', log, isDryRun })
  const left = await reseal({
    database,
    vault,
    columns: sealed,
    isDryRun,
    mostRowsAtOnce: options.rowsPerSecond,
    ...reporting(options),
  }).catch((error: unknown) => {
    if (signal.aborted) return null
    throw error
  })
  if (left === null) {
    print('Stopped; run this again to go on\n')
    return false
  }
  if (left.former === 0) {
    if (!isDryRun) await retireKeys(database, vault.formerKeyIds, new Date(systemClock.nowMs()))
    print(doneText(vault.formerKeyIds.length))
    return true
  }
  if (!isDryRun) print(leftText(left))
  return false
}

function reporting({ isDryRun, rowsPerSecond, signal, print }: ResealOptions) {
  const linesAt = ({ read }: ResealedColumn) => Math.floor(read / PROGRESS_ROWS)
  const describe = (counts: ResealedColumn) => `${isDryRun ? countText(counts) : resealText(counts)}\n`
  return {
    onColumn: (counts: ResealedColumn) => print(describe(counts)),
    async onPage(soFar: ResealedColumn, { read, resealed }: { read: number; resealed: number }) {
      if (linesAt(soFar) > linesAt({ ...soFar, read: soFar.read - read })) print(`… ${describe(soFar)}`)
      await delay((resealed / rowsPerSecond) * 1000, undefined, { signal })
    },
  }
}

const nameOf = ({ table, column }: ResealedColumn): string => `${table}.${column}`

const countText = (counts: ResealedColumn): string =>
  `${nameOf(counts)}: ${counts.former} of ${counts.read} rows are sealed under a former key${unreadableText(counts)}`

const resealText = (counts: ResealedColumn): string =>
  `${nameOf(counts)}: ${counts.resealed} of ${counts.read} rows sealed anew${unreadableText(counts)}`

const unreadableText = ({ unreadable }: ResealedColumn): string =>
  unreadable === 0 ? '' : `, ${unreadable} cannot be opened`

const doneText = (formerKeys: number): string =>
  formerKeys === 0
    ? 'Everything is sealed with the only key\n'
    : 'Everything is sealed with the first key of VAANI_ENCRYPTION_KEY; the others can be removed\n'

const leftText = ({ former, unreadable }: { former: number; unreadable: number }): string =>
  former === unreadable
    ? `Rows that are damaged, and stay under their former key: ${unreadable}\n`
    : `Rows that are still sealed under a former key: ${former}. Restart every process with the new VAANI_ENCRYPTION_KEY, then run this again\n`
