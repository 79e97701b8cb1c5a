/** The embedded Postgres when its server, one of its processes, or a process that uses it is killed. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { isAlive } from './support/is-alive.ts'
import { until } from '@vaani/test-services/until'

const HOLDER = fileURLToPath(new URL('support/embedded-holder.ts', import.meta.url))

/** Creates a Postgres folder for one test. Tests run concurrently, because most of each is starting or waiting. */
async function openFolder() {
  await using held = new AsyncDisposableStack()
  const directory = await mkdtemp(path.join(tmpdir(), 'vaani-lost-'))
  held.defer(() => rm(directory, { recursive: true, force: true }))
  // If the test runs as root, Postgres runs as another user.
  await chmod(directory, 0o755)
  const cleanUp = held.move()
  return {
    directory,
    async start(): Promise<EmbeddedPostgres> {
      const postgres = await startEmbeddedPostgres({ directory })
      cleanUp.defer(() => postgres.stop())
      return postgres
    },
    /** Starts another process that uses the server. */
    async hold(): Promise<ChildProcess> {
      const child = fork(HOLDER, [directory, 'hold'], { execArgv: ['--conditions=vaani-source'] })
      cleanUp.defer(() => end(child))
      await once(child, 'message')
      return child
    },
    readPostmaster: async (): Promise<number> =>
      Number((await readFile(path.join(directory, 'data/postmaster.pid'), 'utf8')).split('\n', 1)[0]),
    [Symbol.asyncDispose]: () => cleanUp.disposeAsync(),
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** Repeats a query until it succeeds, and returns the first row. */
async function askUntilAnswered(postgres: EmbeddedPostgres, sql: string): Promise<unknown> {
  const rows = await until(
    async () => {
      const client = new pg.Client(postgres.connection)
      client.on('error', () => undefined)
      try {
        await client.connect()
        return (await client.query(sql)).rows
      } catch (error) {
        // The server answers; it is the query that is wrong.
        if (error instanceof pg.DatabaseError && error.code?.startsWith('42')) throw error
        return undefined
      } finally {
        await client.end()
      }
    },
    (answer) => answer !== undefined,
  )
  return rows?.[0]
}

// The test with the longest wait starts first.
test.concurrent('a server that cannot be restarted is given up, with the reason', async () => {
  await using folder = await openFolder()
  const { directory, readPostmaster, start } = folder
  const postgres = await start()
  const postmaster = await readPostmaster()
  await rename(path.join(directory, 'data/global'), path.join(directory, 'data/elsewhere'))
  process.kill(postmaster, 'SIGKILL')
  expect(await postgres.lost).toMatchObject({
    code: 'server_lost',
    message: expect.stringContaining('global'),
  })
  await postgres.stop()
})

describe.concurrent('kill -9 of the server', () => {
  test('restarts it with all written data', async () => {
    await using folder = await openFolder()
    const { readPostmaster, start } = folder
    const postgres = await start()
    await askUntilAnswered(postgres, 'create table kept as select 7 as answer')
    const killed = await readPostmaster()
    process.kill(killed, 'SIGKILL')
    expect(await askUntilAnswered(postgres, 'select answer from kept')).toEqual({ answer: 7 })
    expect(await readPostmaster()).not.toBe(killed)
  })

  test('restarts it once, and both processes that use it continue', async () => {
    await using folder = await openFolder()
    const { hold, readPostmaster, start } = folder
    const postgres = await start()
    const other = await hold()
    process.kill(await readPostmaster(), 'SIGKILL')
    await askUntilAnswered(postgres, 'select')
    const present = `select count(*)::integer as users from pg_stat_activity where application_name like 'vaani-presence%'`
    await until(
      () => askUntilAnswered(postgres, present),
      (row) => (row as { users: number }).users === 2,
    )
    await postgres.stop()
    // The other process still uses it.
    expect(isAlive(await readPostmaster())).toBe(true)
    await end(other)
  })

  test('restarts it although a query is still running', async () => {
    await using folder = await openFolder()
    const { readPostmaster, start } = folder
    const postgres = await start()
    const client = new pg.Client(postgres.connection)
    client.on('error', () => undefined)
    await client.connect()
    // This query never checks whether its server is alive, and holds the shared memory meanwhile.
    const busy = client.query('do $$ begin loop end loop $$').catch(() => undefined)
    await askUntilAnswered(
      postgres,
      `select from pg_stat_activity where query like 'do %' and state = 'active'`,
    )
    process.kill(await readPostmaster(), 'SIGKILL')
    await client.end()
    await busy
    expect(await askUntilAnswered(postgres, 'select 1 as one')).toEqual({ one: 1 })
  })
})

describe.concurrent('kill -9 of one of its processes', () => {
  /** Kills a session, which makes the server end all sessions and recover. */
  async function killSession(postgres: EmbeddedPostgres): Promise<void> {
    const client = new pg.Client(postgres.connection)
    client.on('error', () => undefined)
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
    await ended
  }

  test('makes it unavailable only briefly', async () => {
    await using folder = await openFolder()
    const { readPostmaster, start } = folder
    const postgres = await start()
    const postmaster = await readPostmaster()
    await killSession(postgres)
    expect(await askUntilAnswered(postgres, 'select 1 as one')).toEqual({ one: 1 })
    expect(await readPostmaster()).toBe(postmaster)
  })

  test('does not prevent an immediate stop', async () => {
    await using folder = await openFolder()
    const { readPostmaster, start } = folder
    const postgres = await start()
    const postmaster = await readPostmaster()
    await killSession(postgres)
    await postgres.stop()
    await until(
      async () => isAlive(postmaster),
      (alive) => !alive,
    )
  })
})

describe.concurrent('kill -9 of a process that uses it', () => {
  test('stops it if no other process uses it', async () => {
    await using folder = await openFolder()
    const { hold, readPostmaster, start } = folder
    const holder = await hold()
    const postmaster = await readPostmaster()
    await end(holder)
    await until(
      async () => isAlive(postmaster),
      (alive) => !alive,
    )
    const postgres = await start()
    expect(await askUntilAnswered(postgres, 'select 1 as one')).toEqual({ one: 1 })
  })

  test('leaves it running for the other processes', async () => {
    await using folder = await openFolder()
    const { hold, readPostmaster, start } = folder
    const [first, second] = await Promise.all([hold(), hold()])
    const postmaster = await readPostmaster()
    await end(first)
    const postgres = await start()
    expect(postgres.adopted).toBe(true)
    await postgres.stop()
    await end(second)
    await until(
      async () => isAlive(postmaster),
      (alive) => !alive,
    )
  })

  test('does not affect a start right afterwards', async () => {
    await using folder = await openFolder()
    const { hold, start } = folder
    const holder = await hold()
    await end(holder)
    expect(await askUntilAnswered(await start(), 'select 1 as one')).toEqual({ one: 1 })
  })
})
