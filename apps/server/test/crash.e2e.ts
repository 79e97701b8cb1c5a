import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Call, OwnCallerId, StartedCallerId } from '@vaani/contracts'
import { createTestDatabase, type TestDatabaseOptions } from '@vaani/test-services'
import { describe, expect, test } from 'vitest'
import { query } from './support/query.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'
import { type SipTrunk, startSipTrunk } from './support/sip-trunk.ts'
import { migrateUrl } from './support/test-server.ts'
import { thorough } from '@vaani/test-services/thorough'
import { until } from '@vaani/test-services/until'

const KEY = 'sk_test_crash_0123456789abcdef'
/** Kills at further moments take the same ways. */
const testMore = thorough({ usual: test.skip, long: test })
const MIGRATED: TestDatabaseOptions = { template: { name: 'server', migrate: migrateUrl } }
const call = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }

/** Creates a database for one test, and servers on it. Tests run concurrently, because they mostly wait for leases to expire. */
async function openDatabase(options: TestDatabaseOptions = MIGRATED) {
  await using held = new AsyncDisposableStack()
  const database = held.use(await createTestDatabase(options))
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-crash-'))
  held.defer(() => rm(dataDirectory, { recursive: true, force: true }))
  const environment = { DATABASE_URL: database.url, VAANI_DATA_DIR: dataDirectory }
  const resources = held.move()
  return {
    databaseUrl: database.url,
    directory: dataDirectory,
    async start(more: Record<string, string> = {}): Promise<ServerProcess> {
      const server = await startServerProcess({ ...environment, VAANI_BOOTSTRAP_API_KEY: KEY, ...more })
      resources.defer(async () => void (await server.kill('SIGKILL')))
      return server
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function api<Body>(server: ServerProcess, route: string, body?: object): Promise<Body> {
  const response = await fetch(server.url + route, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.ok).toBe(true)
  return response.json() as Promise<Body>
}
const read = (server: ServerProcess, id: string) => api<Call>(server, `/agent/calls/${id}`)

describe.concurrent('kill -9', () => {
  test('during a verification call: it ends as interrupted, its code is worth nothing, and nobody is rung again', async () => {
    await using database = await openDatabase()
    const first = await database.start()
    const { caller_id_id, test_code } = await api<StartedCallerId>(first, '/v1/caller-ids', {
      phone_number: '+9779812345678',
    })
    const readRow = async () => {
      const [row] = await query<{ worker_id: string | null; call_ended_at: Date | null }>(
        database.databaseUrl,
        'select worker_id, call_ended_at from caller_id_verifications',
      )
      return row
    }
    const dialled = await until(readRow, (row) => row?.worker_id !== null)
    expect(dialled?.call_ended_at).toBeNull()
    await first.kill('SIGKILL')
    const second = await database.start()
    const over = await until(
      () => api<OwnCallerId>(second, `/v1/caller-ids/${caller_id_id}`),
      ({ status }) => status === 'failed',
    )
    expect(over.failure_reason).toBe('interrupted')
    await expect(api(second, `/v1/caller-ids/${caller_id_id}/verify`, { code: test_code })).rejects.toThrow()
    expect((await readRow())?.worker_id).toBe(dialled?.worker_id)
  })

  test('during a call: the call ends as interrupted, and is never dialled again', async () => {
    await using database = await openDatabase()
    const { databaseUrl, start } = database
    const first = await start()
    const { call_id } = await api<Call>(first, '/agent/calls', call)
    await until(
      () => read(first, call_id),
      ({ status }) => status === 'in-progress',
    )
    await first.kill('SIGKILL')

    const second = await start()
    const over = await until(
      () => read(second, call_id),
      ({ status }) => status === 'failed',
    )
    expect(over).toMatchObject({ failure_reason: 'interrupted' })

    const rows = await query(
      databaseUrl,
      `select type from events where object_id = '${call_id}' order by sequence`,
    )
    expect(rows.map(({ type }) => type)).toEqual(['call.queued', 'call.in_progress', 'call.failed'])
  })

  testMore('of a worker without a free slot: another worker dials its waiting calls, each once', async () => {
    await using database = await openDatabase()
    const { start } = database
    const first = await start({ VAANI_MAX_CALLS: '1' })
    const placed = [
      await api<Call>(first, '/agent/calls', call),
      await api<Call>(first, '/agent/calls', call),
    ]
    const readAll = () => Promise.all(placed.map(({ call_id }) => read(first, call_id)))
    const calls = await until(readAll, (all) => all.some(({ status }) => status === 'in-progress'))
    await first.kill('SIGKILL')
    const second = await start({ VAANI_MAX_CALLS: '1' })
    const waiting = calls.find(({ status }) => status === 'queued')?.call_id ?? ''
    await until(
      () => read(second, waiting),
      ({ status }) => status === 'completed',
    )
    expect(second.output().match(/"event":"call_dialled"/g)).toHaveLength(1)
  })

  test('of the API after a 201: another process dials the call', async () => {
    await using database = await openDatabase()
    const { start } = database
    const apiOnly = await start({ VAANI_ROLES: 'api' })
    const { call_id } = await api<Call>(apiOnly, '/agent/calls', call)
    await apiOnly.kill('SIGKILL')
    const other = await start()
    const over = await until(
      () => read(other, call_id),
      ({ status }) => status === 'completed',
    )
    expect(over).toMatchObject({ call_id, ended_by: 'agent' })
  })

  testMore('while calls are placed: every call with a 201 still exists afterwards', async () => {
    await using database = await openDatabase()
    const { start } = database
    const first = await start()
    const placed: string[] = []
    const placing = (async () => {
      for (;;) {
        const response = await fetch(`${first.url}/agent/calls`, {
          method: 'POST',
          headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
          body: JSON.stringify({ ...call, scheduled_at: '2027-01-01T00:00:00Z' }),
        })
        if (response.status === 201) placed.push(((await response.json()) as Call).call_id)
        else await response.body?.cancel()
      }
    })().catch(() => undefined)
    await until(
      async () => placed.length,
      (count) => count >= 15,
    )
    await first.kill('SIGKILL')
    await placing
    const second = await start()
    for (const id of placed) expect(await read(second, id)).toMatchObject({ call_id: id, status: 'queued' })
  })
})

describe.concurrent('kill -9 of a call that goes from one trunk to the next', () => {
  const secondRings = [
    'while the second rings',
    [['503 Service Unavailable'], ['180 Ringing']],
    [1, 1],
  ] as const
  const firstIsSilent = ['before the first has answered', [[], ['180 Ringing']], [1, 0]] as const
  test.for(thorough({ usual: [secondRings], long: [secondRings, firstIsSilent] }))(
    '%s: no phone is rung again',
    async ([_, [ofFirst, ofSecond], called]) => {
      await using first = await startSipTrunk(() => ofFirst)
      await using second = await startSipTrunk(() => ofSecond)
      await using database = await openDatabase()
      const file = path.join(database.directory, 'carriers.json')
      const lineOf = ({ port }: SipTrunk) => ({ type: 'sip', host: '127.0.0.1', port })
      const routes = ['first', 'second'].map((carrier) => ({ carrier, prefixes: ['+977'] }))
      await writeFile(
        file,
        JSON.stringify({
          carriers: { first: lineOf(first), second: lineOf(second) },
          hours: 'any',
          test: routes,
          live: [],
        }),
      )
      const count = () => [first.called().length, second.called().length]
      const server = await database.start({ VAANI_CARRIERS_FILE: file })
      const { call_id } = await api<Call>(server, '/agent/calls', call)
      await until(
        async () => count(),
        (counts) => counts.join() === called.join(),
      )
      await server.kill('SIGKILL')
      const successor = await database.start({ VAANI_CARRIERS_FILE: file })
      const over = await until(
        () => read(successor, call_id),
        ({ status }) => status === 'failed',
      )
      expect(over).toMatchObject({
        failure_reason: 'interrupted',
        carrier: called[1] === 1 ? 'second' : 'first',
      })
      expect(count()).toEqual(called)
    },
  )
})

describe.concurrent('kill -9 during a call on a line', () => {
  test('the next worker ends it as interrupted, and hangs up at the far end, once', async () => {
    await using trunk = await startSipTrunk(() => ['180 Ringing', '200 OK'])
    await using database = await openDatabase()
    const file = path.join(database.directory, 'carriers.json')
    const carriers = { line: { type: 'sip', host: '127.0.0.1', port: trunk.port } }
    const routes = [{ carrier: 'line', prefixes: ['+977'] }]
    await writeFile(file, JSON.stringify({ carriers, hours: 'any', test: routes, live: [] }))
    const server = await database.start({ VAANI_CARRIERS_FILE: file })
    const { call_id } = await api<Call>(server, '/agent/calls', call)
    await until(
      () => read(server, call_id),
      ({ status }) => status === 'in-progress',
    )
    await server.kill('SIGKILL')
    expect(trunk.hungUp()).toEqual([])
    const successor = await database.start({ VAANI_CARRIERS_FILE: file })
    const over = await until(
      () => read(successor, call_id),
      ({ status }) => status === 'failed',
    )
    expect(over.failure_reason).toBe('interrupted')
    await until(
      async () => trunk.hungUp(),
      (byes) => byes.length === 1,
    )
    expect(trunk.called()).toHaveLength(1)
    const rows = await query<{ farewell: string | null }>(
      database.databaseUrl,
      `select farewell from calls where call_id = '${call_id}'`,
    )
    expect(rows).toEqual([{ farewell: null }])
  })
})

describe.concurrent('a process that is frozen during a call', () => {
  test('cannot change the call when it wakes, and continues under a new lease', async () => {
    await using database = await openDatabase()
    const { databaseUrl, start } = database
    const first = await start()
    const { call_id } = await api<Call>(first, '/agent/calls', call)
    await until(
      () => read(first, call_id),
      ({ status }) => status === 'in-progress',
    )
    const readLeases = async () =>
      (await query<{ worker_id: string }>(databaseUrl, 'select worker_id from leases')).map(
        ({ worker_id }) => worker_id,
      )
    const [before = ''] = await readLeases()
    first.child.kill('SIGSTOP')

    const second = await start()
    await until(
      () => read(second, call_id),
      ({ status }) => status === 'failed',
    )
    const rows = () => query(databaseUrl, `select * from calls where call_id = '${call_id}'`)
    const interrupted = await rows()
    first.child.kill('SIGCONT')
    const after = await until(readLeases, (ids) => ids.length === 2)
    expect(after).not.toContain(before)
    const placed = Array.from({ length: 4 }, () => api<Call>(first, '/agent/calls', call))
    for (const { call_id: next } of await Promise.all(placed))
      await until(
        () => read(first, next),
        ({ status }) => status === 'completed',
      )
    expect(await rows()).toEqual(interrupted)
    const events = await query(
      databaseUrl,
      `select type from events where object_id = '${call_id}' order by sequence`,
    )
    expect(events.map(({ type }) => type)).toEqual(['call.queued', 'call.in_progress', 'call.failed'])
  })
})

describe.concurrent('SIGTERM', () => {
  test.each([
    { does: 'lets a call end', graceSeconds: 30, end: { status: 'completed' } },
    {
      does: 'hangs up a call that outlasts the grace period, and records it as interrupted',
      graceSeconds: 0,
      end: { status: 'failed', failure_reason: 'interrupted' },
    },
  ])('$does, then exits with code 0', async ({ graceSeconds, end }) => {
    await using database = await openDatabase()
    const { databaseUrl, start } = database
    const server = await start({ VAANI_SHUTDOWN_GRACE_SECONDS: String(graceSeconds) })
    const { call_id } = await api<Call>(server, '/agent/calls', call)
    await until(
      () => read(server, call_id),
      ({ status }) => status === 'in-progress',
    )
    expect(await server.kill('SIGTERM')).toBe(0)
    const rows = await query(databaseUrl, `select * from calls where call_id = '${call_id}'`)
    expect(rows).toMatchObject([end])
  })
})

describe.concurrent('several processes', () => {
  test('start at once on a fresh database and share one account', async () => {
    await using database = await openDatabase({})
    const { start } = database
    const servers = await Promise.all([start(), start(), start({ VAANI_ROLES: 'api' })])
    const { call_id } = await api<Call>(servers[2] ?? servers[0], '/agent/calls', call)
    await until(
      () => read(servers[0], call_id),
      ({ status }) => status === 'completed',
    )
  })
})

describe.concurrent('a first start', () => {
  test('with an invalid variable names it and exits', async () => {
    await using database = await openDatabase({})
    const { start } = database
    await expect(start({ PORT: 'http' })).rejects.toThrow(/exited with 1.*PORT/s)
  })

  test('on a port in use names the variable, and creates nothing', async () => {
    await using database = await openDatabase({})
    const { databaseUrl, start } = database
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    for (const variable of ['PORT', 'VAANI_METRICS_PORT'])
      await expect(start({ [variable]: String(port) })).rejects.toThrow(
        new RegExp(
          `exited with 1.*The configuration is wrong: ${variable}: another program listens on port ${port}`,
          's',
        ),
      )
    taken.close()
    expect(await query(databaseUrl, "select to_regclass('accounts') as accounts")).toEqual([
      { accounts: null },
    ])
  })

  test('with wrong files of settings names all that is wrong, and starts nothing', async () => {
    await using database = await openDatabase({})
    const { databaseUrl, start, directory } = database
    const file = path.join(directory, 'wrong.json')
    await writeFile(file, '{"upstreams":{"a":{"base_url":"x","models":["m"],"max_retries":-1}}}')
    const wrong = {
      VAANI_CHAT_UPSTREAMS_FILE: file,
      VAANI_CARRIERS_FILE: file,
      VAANI_SPEECH_ENGINES_FILE: file,
    }
    const starting = start(wrong)
    for (const member of ['upstreams.a.base_url', 'upstreams.a.max_retries', 'carriers: ', 'engines: '])
      await expect(starting).rejects.toThrow(member)
    await expect(starting).rejects.not.toThrow(/ {4}at |"level":/)
    expect(await query(databaseUrl, "select to_regclass('accounts') as accounts")).toEqual([
      { accounts: null },
    ])
  })
})
