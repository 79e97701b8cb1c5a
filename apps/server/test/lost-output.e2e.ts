import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@vaani/test-services'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PROCESS_ENVIRONMENT } from './support/process-environment.ts'
import { cannotMount, mountSmallVolume } from './support/small-volume.ts'
import { until } from '@vaani/test-services/until'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const KEY = 'sk_test_lost_output_0123456789abcdef'

let held: AsyncDisposableStack
let environment: Record<string, string>
beforeEach(async () => {
  held = new AsyncDisposableStack()
  const database = await createTestDatabase()
  held.defer(() => database.drop())
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-output-'))
  held.defer(() => rm(dataDirectory, { recursive: true, force: true }))
  environment = {
    DATABASE_URL: database.url,
    VAANI_DATA_DIR: dataDirectory,
    VAANI_BOOTSTRAP_API_KEY: KEY,
    VAANI_SHUTDOWN_GRACE_SECONDS: '0',
    LOG_LEVEL: 'debug',
  }
})
afterEach(() => held.disposeAsync())

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Starts a server with the given shell redirections of its output, and waits until it is ready. */
async function start(redirections: string): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort()
  const command = `exec "$@" ${redirections}`
  const child = spawn('sh', ['-c', command, 'sh', process.execPath, '--conditions=vaani-source', MAIN], {
    env: { ...PROCESS_ENVIRONMENT, ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  held.defer(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await until(
    async () =>
      child.exitCode === null ? (await fetch(`${url}/readyz`).catch(() => null))?.status : 'ended',
    (status) => status === 200 || status === 'ended',
  )
  return { child, url }
}

const read = async (url: string): Promise<number> =>
  (await fetch(`${url}/agent/agents`, { headers: { authorization: `Bearer ${KEY}` } })).status

async function expectToServeAndStop({ child, url }: { child: ChildProcess; url: string }): Promise<void> {
  for (let request = 0; request < 5; request++) expect(await read(url)).toBe(200)
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
}

test.runIf(existsSync('/dev/full'))('a full disk for the output does not stop the server', async () => {
  await expectToServeAndStop(await start('>/dev/full 2>&1'))
})

test.skipIf(cannotMount !== null)('buffered lines are written once the disk has room again', async () => {
  const volume = held.use(await mountSmallVolume(1))
  const log = path.join(volume.directory, 'log')
  const { url } = await start(`>>${log} 2>&1`)
  await volume.fill()
  const before = await readFile(log, 'utf8')
  const lines = async () => (await readFile(log, 'utf8')).slice(before.length)
  for (let request = 0; request < 50; request++) expect(await read(url)).toBe(200)
  await volume.empty()
  await until(
    async () => (await lines()).match(/"operation":"agents.list"/g)?.length ?? 0,
    (count) => count === 50,
  )
})

test('an output without a reader does not stop the server', async () => {
  const server = await start('')
  for (const stream of [server.child.stdout, server.child.stderr]) stream?.destroy()
  await expectToServeAndStop(server)
})

test('an output that is closed from the start does not stop the server', async () => {
  await expectToServeAndStop(await start('>&- 2>&-'))
})
