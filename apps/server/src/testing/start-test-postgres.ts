import { randomUUID } from 'node:crypto'
import { rename, rm, stat } from 'node:fs/promises'
import { choosePlace } from '@vaani/service-kit/database/embedded/choose-place'
import { EmbeddedPostgresError } from '@vaani/service-kit/database/embedded/embedded-postgres-error'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@vaani/service-kit/database/embedded/start-embedded-postgres'

/**
 * Starts the Postgres that all tests of a user share. Its data belongs to no test, so data that it cannot start on is replaced:
 * a sweep of the temporary folder may have taken some of its files, or another version may have made it.
 *
 * @throws EmbeddedPostgresError
 */
export async function startTestPostgres(
  options: Parameters<typeof startEmbeddedPostgres>[0],
): Promise<EmbeddedPostgres> {
  const { data } = await choosePlace(options.directory, options.logger)
  const tried = await inodeOf(data)
  try {
    return await startEmbeddedPostgres(options)
  } catch (error) {
    const isOfData =
      error instanceof EmbeddedPostgresError &&
      (error.code === 'start_failed' || error.code === 'data_directory_version')
    if (!isOfData || tried === undefined) throw error
    // Unless another process has replaced it.
    if ((await inodeOf(data)) === tried) {
      const replaced = `${data}.${randomUUID()}`
      await rename(data, replaced)
      await rm(replaced, { recursive: true, force: true })
    }
    return await startEmbeddedPostgres(options)
  }
}

const inodeOf = (folder: string): Promise<number | undefined> =>
  stat(folder).then(
    ({ ino }) => ino,
    () => undefined,
  )
