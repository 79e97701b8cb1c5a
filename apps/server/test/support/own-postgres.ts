import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../../src/database/embedded/start-embedded-postgres.ts'
import { until } from './until.ts'

/** How Postgres is stopped: `fast` ends its sessions, `immediate` is a crash that it recovers from. */
const STOP_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
export type StopMode = keyof typeof STOP_SIGNALS

/** A Postgres of the test's own, which it may stop. */
export interface OwnPostgres extends AsyncDisposable {
  url: string
  stop(mode: StopMode): Promise<void>
  start(): Promise<void>
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const directory = await mkdtemp(path.join(tmpdir(), 'vaani-postgres-'))
  // As root it runs as another user, who has to pass.
  await chmod(directory, 0o755)
  const pidFile = path.join(directory, 'data/postmaster.pid')
  let running = await startEmbeddedPostgres({ directory })
  const { user, database, host } = running.connection
  return {
    url: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    async stop(mode) {
      process.kill(Number((await readFile(pidFile, 'utf8')).split('\n', 1)[0]), STOP_SIGNALS[mode])
      await until(
        async () => existsSync(pidFile),
        (exists) => !exists,
      )
    },
    async start() {
      running = await startEmbeddedPostgres({ directory })
    },
    async [Symbol.asyncDispose]() {
      await running.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
