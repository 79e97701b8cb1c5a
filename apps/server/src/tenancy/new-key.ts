import { hostname, userInfo } from 'node:os'
import { systemClock } from '@vaani/service-kit/clock'
import type { Tx } from '@vaani/service-kit/database/connect'
import type { Migrations } from '@vaani/service-kit/database/migrate'
import { openDatabase } from '@vaani/service-kit/database/open-database'
import { NO_DATABASE, requireDatabase } from '@vaani/service-kit/database/require-database'
import { createIdMaker } from '@vaani/service-kit/ids'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { ServiceSettings } from '@vaani/service-kit/service/service-settings'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { createApiKey } from './api-key.ts'
import { FIRST_KEY_SCOPES } from './first-key-scopes.ts'
import { findOperator } from './account-rows.ts'
import { insertKey } from './key-rows.ts'

/**
 * Creates a key of the operator's account from the command line, whether the server runs or not.
 *
 * @throws ConfigError if there is no database of a server
 */
export async function makeNewKey(options: {
  settings: Pick<ServiceSettings, 'databaseUrl' | 'dataDirectory'>
  migrations: Migrations
  log: Logger
  livemode: boolean
}): Promise<string> {
  const { settings, migrations, log, livemode } = options
  await requireDatabase(settings)
  await using held = new AsyncDisposableStack()
  const { signal } = new AbortController()
  const { database } = await openDatabase({ settings, migrations, log, held, waitMs: 0, signal })
  return await database.transaction().execute((tx) => insertNewKey(tx, livemode))
}

async function insertNewKey(tx: Tx, livemode: boolean): Promise<string> {
  const accountId = await findOperator(tx)
  if (accountId === undefined) throw new ConfigError(NO_DATABASE)
  const key = createApiKey(livemode)
  await insertKey({
    tx,
    clock: systemClock,
    makeId: createIdMaker(systemClock),
    key,
    accountId,
    name: 'Made at the machine',
    scopes: FIRST_KEY_SCOPES,
    actor: `${userName()} on ${hostname()}`,
  })
  return key
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // The user of a container may have no name.
    return `user ${process.getuid?.()}`
  }
}
