import { access } from 'node:fs/promises'
import path from 'node:path'
import { ConfigError } from '../settings/define-settings.ts'
import type { DatabaseSettings } from './open-database.ts'

export const NO_DATABASE =
  'There is no database of a server here: start the server first, or set DATABASE_URL or VAANI_DATA_DIR as for the server'

/**
 * Refuses the command if opening the embedded database would create it. In a directory other than the server's, that would
 * be a database that no server uses.
 *
 * @throws ConfigError if there is no database of a server
 */
export async function requireDatabase({ databaseUrl, dataDirectory }: DatabaseSettings): Promise<void> {
  if (databaseUrl !== undefined) return
  await access(path.join(dataDirectory, 'postgres')).catch(() => {
    throw new ConfigError(NO_DATABASE)
  })
}
