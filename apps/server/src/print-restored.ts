import { systemClock } from '@vaani/service-kit/clock'
import type { Db } from '@vaani/service-kit/database/connect'
import { openDatabase } from '@vaani/service-kit/database/open-database'
import { requireDatabase } from '@vaani/service-kit/database/require-database'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { createLogger } from '@vaani/service-kit/telemetry/log'
import { sql } from 'kysely'
import { type Config, features } from './features.ts'
import { holdRestoredCalls } from './features/calls/hold-restored-calls.ts'
import { holdRestoredDeliveries } from './features/webhooks/hold-restored-deliveries.ts'

const DATABASE_WAIT_MS = 60_000

/**
 * Prepares a restored database for its first start, and prints what it did.
 *
 * @throws ConfigError if there is no database of a server, or a worker runs on it
 */
export async function printRestored(
  config: Config,
  options: { holdsWebhooks: boolean; signal: AbortSignal; print: (text: string) => void },
): Promise<void> {
  const { holdsWebhooks, signal, print } = options
  await requireDatabase(config)
  await using held = new AsyncDisposableStack()
  // Silent, because log lines would be taken for results.
  const log = createLogger('silent')
  const { migrations } = features
  const opening = { settings: config, migrations, log, held, waitMs: DATABASE_WAIT_MS, signal }
  const { database, pool } = await openDatabase(opening)
  await requireNoWorker(database)
  const calls = await holdRestoredCalls(database, new Date(systemClock.nowMs()))
  print(`Calls that will end as interrupted instead of being dialled: ${calls}\n`)
  if (!holdsWebhooks) return
  const deliveries = await holdRestoredDeliveries({ pool, clock: systemClock })
  print(`Webhooks that are dead instead of being sent: ${deliveries}\n`)
}

async function requireNoWorker(database: Db): Promise<void> {
  const { rows } = await sql`select from leases where expires_at > now() limit 1`.execute(database)
  if (rows.length > 0)
    throw new ConfigError(
      'DATABASE_URL: a worker runs on this database, or the backup is seconds old. Stop all workers, wait for half a minute, and run this again',
    )
}
