import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { installBinaries } from '@vaani/service-kit/database/embedded/binaries'
import { choosePlace } from '@vaani/service-kit/database/embedded/choose-place'
import { holdLifeline } from '@vaani/service-kit/database/embedded/lifeline'
import { connectionOn } from '@vaani/service-kit/database/embedded/presence'
import { launchServer, stopServer } from '@vaani/service-kit/database/embedded/server-process'
import { startEmbeddedPostgres } from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import pg from 'pg'
import { isAlive } from './is-alive.ts'
import { until } from '@vaani/test-services/until'

/** Ways to stop Postgres: `fast` ends its sessions, `immediate` is a crash that it recovers from. */
const STOP_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const
export type StopMode = keyof typeof STOP_SIGNALS

/** A Postgres that belongs to the test. The test may stop it, and only the test starts it again. */
export interface OwnPostgres extends AsyncDisposable {
  url: string
  stop(mode: StopMode): Promise<void>
  start(): Promise<void>
  /** Stops every process of the server, so that it neither answers nor refuses connections. */
  freeze(): Promise<void>
  thaw(): void
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const directory = await mkdtemp(path.join(tmpdir(), 'vaani-postgres-'))
  // If the test runs as root, Postgres runs as another user, which must be able to traverse the directory.
  await chmod(directory, 0o755)
  // Initializes the database.
  await (await startEmbeddedPostgres({ directory })).stop()
  const place = await choosePlace(directory, undefined)
  const letGo = await holdLifeline(place)
  const binaries = (await installBinaries(place.home)).directory
  const connection = connectionOn(place.socket)
  const start = async () => {
    const { presence } = await launchServer({ binaries, place, connection })
    await presence.leave()
  }
  const readPid = async () =>
    Number((await readFile(path.join(place.data, 'postmaster.pid'), 'utf8')).split('\n', 1)[0])
  let frozen: number[] = []
  const thaw = () => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT')
  }
  await start()
  return {
    url: `postgres://${connection.user}@localhost/${connection.database}?host=${encodeURIComponent(place.socket)}`,
    start,
    async stop(mode) {
      const pid = await readPid()
      process.kill(pid, STOP_SIGNALS[mode])
      await until(
        async () => isAlive(pid),
        (alive) => !alive,
      )
    },
    async freeze() {
      const client = new pg.Client(connection)
      await client.connect()
      const { rows } = await client.query<{ pid: number }>(
        'select pid from pg_stat_activity where pid <> pg_backend_pid()',
      )
      await client.end()
      // Freeze the postmaster first so that it starts no new backends.
      frozen = [await readPid(), ...rows.map(({ pid }) => pid)]
      for (const pid of frozen) if (isAlive(pid)) process.kill(pid, 'SIGSTOP')
      frozen = frozen.filter(isAlive)
    },
    thaw,
    async [Symbol.asyncDispose]() {
      thaw()
      await stopServer(place)
      letGo()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
