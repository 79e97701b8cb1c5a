import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestDatabase } from '@vaani/test-services'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { filesInTheClear } from './support/files-in-the-clear.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'
import { until } from './support/until.ts'
import { type PartialUpload, uploadInPart } from './support/upload-in-part.ts'

/** Each test starts several processes, on a machine that may be busy. */
vi.setConfig({ testTimeout: 150_000 })

const KEY = 'sk_test_unsealed_0123456789abcdef'
/** A parent that never asks how its child ended: a killed child stays as a zombie, whose pid is still taken. */
const UNREAPING = ['sh', '-c', '"$@" & echo "server=$!" >&2; exec sleep 600', 'sh']
/** Each such process has the pid 1, as in containers. */
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

/** Each has a folder of its own, in which it may have several files. */
const uploadsInTheClear = async () =>
  new Set((await filesInTheClear(folder)).map((file) => path.dirname(file))).size

/** Leaves a picture in the clear: the upload that it is part of goes on. */
async function beginUpload(server: ServerProcess): Promise<PartialUpload> {
  const before = await uploadsInTheClear()
  const upload = await uploadInPart(server.url, KEY)
  uploads.push(upload)
  await until(uploadsInTheClear, (found) => found > before)
  return upload
}

/** Files that another user of the machine can open: no folder above them is closed. */
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

describe('what kill -9 leaves in the clear', () => {
  test('is gone once the next process has started, even if the old pid still counts as alive', async () => {
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

  test('is gone as well if it is a recording in the making', async () => {
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

  test('is removed by the next process alone, and not what a living one takes in', async () => {
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

test('nobody else can read what lies in the data directory', async () => {
  const { DATABASE_URL: _, ...embedded } = environment
  environment = embedded
  // As root, Postgres runs as somebody else.
  await chmod(folder, 0o755)
  const server = await start()
  const upload = await beginUpload(server)
  const readable = await readableByOthers(folder)
  // The programs of Postgres are no secret.
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

test.runIf(canUnshare)('a container that is started anew removes what its former process left', async () => {
  const first = await start(IN_A_CONTAINER)
  await beginUpload(first)
  const exit = once(first.child, 'exit')
  await first.kill('SIGKILL')
  await exit.catch(() => undefined)
  await start(IN_A_CONTAINER)
  expect(await filesInTheClear(folder)).toEqual([])
})
