import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestDatabase } from '@vaani/test-services'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { filesInTheClear } from './support/files-in-the-clear.ts'
import { type ServerProcess, startServerProcess } from './support/server-process.ts'
import { until } from './support/until.ts'
import { type PartialUpload, uploadInPart } from './support/upload-in-part.ts'

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

/** Leaves a picture in the clear: the upload that it is part of goes on. */
async function beginUpload(server: ServerProcess): Promise<PartialUpload> {
  const before = (await filesInTheClear(folder)).length
  const upload = await uploadInPart(server.url, KEY)
  uploads.push(upload)
  await until(
    () => filesInTheClear(folder),
    (files) => files.length > before,
  )
  return upload
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
    const both = await filesInTheClear(folder)
    const third = await start()
    const left = await filesInTheClear(folder)
    expect(left.length).toBeGreaterThan(0)
    expect(left.length).toBeLessThan(both.length)
    expect(await upload.finish()).toMatchObject({ status: 200 })
    for (const server of [first, third]) expect(await server.kill('SIGTERM')).toBe(0)
    expect(await filesInTheClear(folder)).toEqual([])
  })
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
