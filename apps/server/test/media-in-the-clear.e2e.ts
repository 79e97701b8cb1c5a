import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestDatabase } from '@vaani/test-services'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { filesInTheClear } from './support/files-in-the-clear.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'
import { until } from '@vaani/test-services/until'
import { type PartialUpload, uploadInPart } from './support/upload-in-part.ts'

const KEY = 'sk_test_unsealed_0123456789abcdef'
/** A parent that never reaps its child, so a killed child remains a zombie and keeps its pid. */
const UNREAPING = ['sh', '-c', '"$@" & echo "server=$!" >&2; exec sleep 600', 'sh']
/** Gives each process pid 1, as in containers. */
const IN_A_CONTAINER = ['unshare', '--pid', '--fork', '--kill-child']
const canUnshare = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0

let folder: string
let processes: ServerProcess[] = []
let uploads: PartialUpload[] = []
let clean: () => Promise<void>
let environment: Record<string, string>

beforeEach(async () => {
  const database = await createTestDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-unsealed-'))
  environment = {
    DATABASE_URL: database.url,
    VAANI_DATA_DIR: folder,
    VAANI_BOOTSTRAP_API_KEY: KEY,
    VAANI_SHUTDOWN_GRACE_SECONDS: '0',
  }
  clean = async () => {
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
afterEach(async () => {
  for (const upload of uploads.splice(0)) upload.destroy()
  await Promise.all(processes.splice(0).map((one) => one.kill('SIGKILL')))
  await clean()
})

async function start(under: readonly string[] = []): Promise<ServerProcess> {
  const server = await startServerProcess(environment, { under })
  processes.push(server)
  return server
}

/** Counts uploads with unencrypted files. Each has its own folder, which may contain several files. */
const uploadsInTheClear = async () =>
  new Set((await filesInTheClear(folder)).map((file) => path.dirname(file))).size

/** Starts an upload and leaves it unfinished, with an unencrypted image on disk. */
async function beginUpload(server: ServerProcess): Promise<PartialUpload> {
  const before = await uploadsInTheClear()
  const upload = await uploadInPart(server.url, KEY)
  uploads.push(upload)
  await until(uploadsInTheClear, (found) => found > before)
  return upload
}

/** Lists files that another user of the machine can open, because no folder above them is private. */
async function readableByOthers(directory: string, below = ''): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(path.join(directory, below), { withFileTypes: true })) {
    const name = path.posix.join(below, entry.name)
    const isClosed = ((await lstat(path.join(directory, name))).mode & 0o077) === 0
    if (isClosed || entry.isSymbolicLink()) continue
    found.push(...(entry.isDirectory() ? await readableByOthers(directory, name) : [name]))
  }
  return found
}

describe('unencrypted media after kill -9', () => {
  test('is removed when the next process starts, even if the old pid still appears alive', async () => {
    const first = await start(UNREAPING)
    const pid = Number(/server=(\d+)/.exec(first.output())?.[1])
    await beginUpload(first)
    process.kill(pid, 'SIGKILL')
    await until(
      async () => first.output(),
      () =>
        spawnSync('ps', ['-o', 'stat=', '-p', String(pid)])
          .stdout.toString()
          .startsWith('Z'),
    )
    expect(process.kill(pid, 0)).toBe(true)
    await start()
    expect(await filesInTheClear(folder)).toEqual([])
  })

  test('is removed as well if it is an unfinished recording', async () => {
    const first = await start()
    const call = { to: '+9779812345678', agent_id: 'reminder', language: 'en-US' }
    await fetch(`${first.url}/agent/calls`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
    const partials = async () =>
      (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.wav.partial'))
    await until(partials, (names) => names.length === 1)
    await first.kill('SIGKILL')
    expect(await partials()).toHaveLength(1)
    await start()
    expect(await partials()).toEqual([])
  })

  test('is removed when the next process starts, but uploads to a live process are not', async () => {
    const [first, second] = await Promise.all([start(), start()])
    const [upload] = [await beginUpload(first), await beginUpload(second)]
    await second.kill('SIGKILL')
    expect(await uploadsInTheClear()).toBe(2)
    const third = await start()
    expect(await uploadsInTheClear()).toBe(1)
    expect(await upload.finish()).toMatchObject({ status: 200 })
    for (const server of [first, third]) expect(await server.kill('SIGTERM')).toBe(0)
    expect(await filesInTheClear(folder)).toEqual([])
  })
})

test('other users cannot read the data directory', async () => {
  const { DATABASE_URL: _, ...embedded } = environment
  environment = embedded
  // If the test runs as root, Postgres runs as another user.
  await chmod(folder, 0o755)
  const server = await start()
  const upload = await beginUpload(server)
  const readable = await readableByOthers(folder)
  // The Postgres binaries are not confidential.
  expect(readable.filter((file) => !file.startsWith('postgres/postgres-'))).toEqual([])
  expect(await upload.finish()).toMatchObject({ status: 200 })
  expect((await readableByOthers(folder)).filter((file) => !file.startsWith('postgres/postgres-'))).toEqual(
    [],
  )
  expect(await server.kill('SIGTERM')).toBe(0)
})

test.runIf(canUnshare)('two containers with one data directory leave each other’s media alone', async () => {
  const first = await start(IN_A_CONTAINER)
  const upload = await beginUpload(first)
  await start(IN_A_CONTAINER)
  expect(await upload.finish()).toMatchObject({ status: 200 })
})

test.runIf(canUnshare)('a restarted container removes files left by its former process', async () => {
  const first = await start(IN_A_CONTAINER)
  await beginUpload(first)
  const exit = once(first.child, 'exit')
  await first.kill('SIGKILL')
  await exit.catch(() => undefined)
  await start(IN_A_CONTAINER)
  expect(await filesInTheClear(folder)).toEqual([])
})
