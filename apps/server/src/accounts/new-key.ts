import { access } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import path from 'node:path'
import { SCOPES } from '@vaani/contracts'
import { systemClock } from '@vaani/service-kit/clock'
import { createIdMaker } from '@vaani/service-kit/ids'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { type Config, ConfigError } from '../config.ts'
import type { Tx } from '../database/connect.ts'
import { openDatabase } from '../database/open-database.ts'
import { createApiKey } from './api-key.ts'
import { insertKey } from './key-rows.ts'

const NO_DATABASE =
  'There is no database of a server here: start the server first, or set DATABASE_URL or VAANI_DATA_DIR as for the server'

/**
 * Makes a key of the operator's account from the machine, whether the server runs or not.
 *
 * @throws ConfigError if there is no database that a server has been started on
 */
export async function makeNewKey(options: {
  config: Config
  log: Logger
  livemode: boolean
}): Promise<string> {
  const { config, log, livemode } = options
  if (config.databaseUrl === undefined) await requireDatabase(config.dataDirectory)
  await using held = new AsyncDisposableStack()
  const { signal } = new AbortController()
  const { database } = await openDatabase({ config, log, held, waitMs: 0, signal })
  return await database.transaction().execute((tx) => insertNewKey(tx, livemode))
}

/** In another directory than the server's, a start would make a database that no server uses. */
async function requireDatabase(dataDirectory: string): Promise<void> {
  await access(path.join(dataDirectory, 'postgres')).catch(() => {
    throw new ConfigError(NO_DATABASE)
  })
}

async function insertNewKey(tx: Tx, livemode: boolean): Promise<string> {
  const operator = await tx
    .selectFrom('accounts')
    .where('operator', '=', true)
    .select('account_id')
    .orderBy('account_id')
    .limit(1)
    .executeTakeFirst()
  if (operator === undefined) throw new ConfigError(NO_DATABASE)
  const key = createApiKey(livemode)
  await insertKey({
    tx,
    clock: systemClock,
    makeId: createIdMaker(systemClock),
    key,
    accountId: operator.account_id,
    name: 'Made at the machine',
    scopes: SCOPES,
    actor: `${userName()} on ${hostname()}`,
  })
  return key
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A user of a container need not have a name.
    return `user ${process.getuid?.()}`
  }
}
