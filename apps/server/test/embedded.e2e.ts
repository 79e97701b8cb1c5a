import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@vaani/service-kit/database/embedded/start-embedded-postgres'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { thorough } from '@vaani/test-services/thorough'
import { until } from '@vaani/test-services/until'
import { type InitializedPostgres, initializePostgres } from './support/initialized-postgres.ts'

const HOLDER = fileURLToPath(new URL('support/embedded-holder.ts', import.meta.url))

interface Message {
  ready?: true
  adopted?: boolean
  acknowledged?: number
  lost?: true
}
interface Holder {
  child: ChildProcess
  messages: Message[]
  ready: Promise<Message>
}

let initialized: InitializedPostgres
beforeAll(async () => {
  initialized = await initializePostgres()
})
afterAll(() => initialized?.[Symbol.asyncDispose]())

let directory: string
let holders: Holder[] = []
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'vaani-embedded-'))
  await chmod(directory, 0o755)
})
afterEach(async () => {
  for (const { child } of holders.splice(0))
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  // Takes over and stops a server that a test left running or killed.
  if (existsSync(path.join(directory, 'data/postmaster.pid')))
    await (await startEmbeddedPostgres({ directory })).stop()
  await rm(directory, { recursive: true, force: true })
})

function hold(
  mode: 'hold' | 'write' = 'hold',
  at = directory,
  environment: Record<string, string> = {},
): Holder {
  const child = fork(HOLDER, [at, mode], {
    execArgv: ['--conditions=vaani-source'],
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', (text: Buffer) => (errors += String(text)))
  const messages: Message[] = []
  const ready = new Promise<Message>((resolve, reject) => {
    child.on('message', (message: Message) => {
      messages.push(message)
      if (message.ready) resolve(message)
    })
    child.once('close', (code) => reject(new Error(`The holder exited with ${code}: ${errors}`)))
  })
  ready.catch(() => undefined)
  const holder = { child, messages, ready }
  holders.push(holder)
  return holder
}
async function letGo({ child }: Holder): Promise<void> {
  const exit = once(child, 'exit')
  child.send('stop')
  await exit
}
async function kill({ child }: Holder): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
async function query(sql: string) {
  const postgres = await startEmbeddedPostgres({ directory })
  const client = new pg.Client(postgres.connection)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
    await postgres.stop()
  }
}

test('starts, keeps written data, stops and starts again, with fsync on', async () => {
  await initialized.copyTo(directory)
  const first = await startEmbeddedPostgres({ directory })
  expect(first.adopted).toBe(false)
  expect(await query('show fsync')).toEqual([{ fsync: 'on' }])
  await query('create table kept as select 7 as answer')
  await first.stop()
  const second = await startEmbeddedPostgres({ directory })
  expect(second.adopted).toBe(false)
  expect(await query('select answer from kept')).toEqual([{ answer: 7 }])
  await second.stop()
})

test('an idle process keeps the server running', async () => {
  await initialized.copyTo(directory)
  const idle = await startEmbeddedPostgres({ directory })
  const other = hold()
  await other.ready
  await letGo(other)
  expect(await query('select 1 as answer')).toEqual([{ answer: 1 }])
  await idle.stop()
  await idle.stop()
})

test('can start while another start is stopping', async () => {
  await initialized.copyTo(directory)
  let before = await startEmbeddedPostgres({ directory })
  for (let round = 0; round < thorough({ usual: 1, long: 3 }); round++) {
    const stopping = before.stop()
    before = await startEmbeddedPostgres({ directory })
    await stopping
  }
  await before.stop()
})

test('libpq variables do not affect the connection', async () => {
  await initialized.copyTo(directory)
  const first = hold('hold', directory, { PGPORT: '1', PGSSLMODE: 'require', PGUSER: 'somebody' })
  expect((await first.ready).adopted).toBe(false)
  expect(await query('select 1 as answer')).toEqual([{ answer: 1 }])
})

test('two processes that start at once share one server, and the last one stops it', async () => {
  const both = [hold(), hold()]
  const ready = await Promise.all(both.map((holder) => holder.ready))
  expect(ready.filter(({ adopted }) => adopted)).toHaveLength(1)
  const [first, second] = both
  if (first === undefined || second === undefined) throw new Error('Two holders were started')
  await letGo(first)
  const third = await startEmbeddedPostgres({ directory })
  expect(third.adopted).toBe(true)
  await third.stop()
  await letGo(second)
  const fourth = await startEmbeddedPostgres({ directory })
  expect(fourth.adopted).toBe(false)
  await fourth.stop()
})

test('kill -9 of the server during writes loses nothing that was acknowledged', async () => {
  await initialized.copyTo(directory)
  const holder = hold('write')
  await holder.ready
  const count = () => holder.messages.filter(({ acknowledged }) => acknowledged !== undefined).length
  await until(
    async () => count(),
    (written) => written > 100,
  )
  const pid = Number((await readFile(path.join(directory, 'data/postmaster.pid'), 'utf8')).split('\n', 1)[0])
  process.kill(pid, 'SIGKILL')
  await until(async () => holder.messages.some(({ lost }) => lost), Boolean)
  const acknowledged = holder.messages.flatMap((message) => message.acknowledged ?? [])
  await kill(holder)
  // Start at once: processes of the killed server may still be exiting, and the start must wait for them.
  const rows = await query('select id from written')
  const found = new Set(rows.map(({ id }) => Number(id)))
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
})

test('a directory with a long path has its socket elsewhere, in no folder that is a symbolic link', async () => {
  const long = path.join(directory, 'x'.repeat(120))
  await initialized.copyTo(long)
  const postgres = await startEmbeddedPostgres({ directory: long })
  const { host } = postgres.connection
  expect(host.length).toBeLessThan(90)
  await postgres.stop()
  await rm(host, { recursive: true })
  await symlink(directory, host)
  await expect(startEmbeddedPostgres({ directory: long })).rejects.toMatchObject({
    code: 'directory_not_usable',
  })
  await rm(host)
})

test('a directory that cannot be created is reported', async () => {
  const file = path.join(directory, 'file')
  await writeFile(file, '')
  await expect(startEmbeddedPostgres({ directory: path.join(file, 'postgres') })).rejects.toMatchObject({
    code: 'directory_not_usable',
  })
})

test.skipIf(process.getuid?.() === 0)('a directory that is not writable is reported', async () => {
  await chmod(directory, 0o500)
  await expect(startEmbeddedPostgres({ directory })).rejects.toMatchObject({ code: 'directory_not_usable' })
  await chmod(directory, 0o700)
})

test.runIf(process.getuid?.() === 0)(
  'as root, under a private parent, the data is stored elsewhere and found again',
  async () => {
    const closed = path.join(directory, 'closed')
    await mkdir(closed, { mode: 0o700 })
    await chmod(closed, 0o700)
    const inside = path.join(closed, 'postgres')
    const first = await startEmbeddedPostgres({ directory: inside })
    expect(first.connection.host.startsWith(directory)).toBe(false)
    await first.stop()
    const second = await startEmbeddedPostgres({ directory: inside })
    expect(second.connection.host).toBe(first.connection.host)
    await second.stop()
    await rm(await readFile(path.join(inside, 'location'), 'utf8'), { recursive: true })
  },
)

test('data of another version is rejected and left untouched', async () => {
  await initialized.copyTo(directory)
  const file = path.join(directory, 'data/PG_VERSION')
  await writeFile(file, '13\n')
  await expect(startEmbeddedPostgres({ directory })).rejects.toMatchObject({ code: 'data_directory_version' })
  await writeFile(file, '18\n')
})

test('a server that cannot start is reported', async () => {
  await initialized.copyTo(directory)
  await writeFile(path.join(directory, 'data/postgresql.conf'), 'no_such_setting = 1\n')
  await expect(startEmbeddedPostgres({ directory })).rejects.toMatchObject({ code: 'start_failed' })
})
