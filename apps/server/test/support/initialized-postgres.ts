import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@vaani/service-kit/database/embedded/start-embedded-postgres'

/** A folder in which the embedded Postgres has been initialized and stopped. A copy takes a fraction of the work of initializing another. */
export interface InitializedPostgres extends AsyncDisposable {
  /** Fills a folder, and creates it if needed. */
  copyTo(directory: string): Promise<void>
}

export async function initializePostgres(): Promise<InitializedPostgres> {
  const original = await mkdtemp(path.join(tmpdir(), 'vaani-initialized-'))
  // If the test runs as root, Postgres runs as another user, which must be able to traverse the directory.
  await chmod(original, 0o755)
  await (await startEmbeddedPostgres({ directory: original })).stop()
  return {
    async copyTo(directory) {
      await mkdir(directory, { recursive: true })
      // Unlike `cp` of Node, it preserves owners.
      const { status, stderr } = spawnSync('cp', ['-a', `${original}/.`, directory], { encoding: 'utf8' })
      if (status !== 0) throw new Error(`The initialized Postgres was not copied: ${stderr}`)
    },
    [Symbol.asyncDispose]: () => rm(original, { recursive: true, force: true }),
  }
}
