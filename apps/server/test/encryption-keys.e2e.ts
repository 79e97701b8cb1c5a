/** Every process that shares a database opens what the others seal, or does not start. */
import { randomBytes } from 'node:crypto'
import type { VaultKeys } from '@vaani/service-kit/vault/vault'
import { expect, onTestFinished, test } from 'vitest'
import { createMigrated } from './support/restored-database.ts'
import { runToEnd } from './support/run-to-end.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]
const REASON = 'VAANI_ENCRYPTION_KEY must contain the key'
const REFUSED = { name: 'ConfigError', message: expect.stringContaining(REASON) }

/** Creates a database, and processes on it that end with the test. */
async function openCluster() {
  const held = new AsyncDisposableStack()
  onTestFinished(() => held.disposeAsync())
  const { url } = held.use(await createMigrated())
  let firstKey: string | undefined
  return {
    url,
    async start(...encryptionKeys: VaultKeys): Promise<TestServer> {
      const server = await startTestServer({
        config: { databaseUrl: url, encryptionKeys },
        ...(firstKey !== undefined && { key: firstKey }),
      })
      firstKey ??= server.key
      return held.use(server)
    },
  }
}

test('a process with another key than the first one does not start, even if nothing is sealed yet', async () => {
  const { start } = await openCluster()
  await start(first)
  await expect(start(second)).rejects.toMatchObject(REFUSED)
  await start(first)
})

test('of two processes that start together on an empty database with a key each, one starts', async () => {
  const { start } = await openCluster()
  const starts = await Promise.allSettled([start(first), start(second)])
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(starts.find(({ status }) => status === 'rejected')).toMatchObject({ reason: REFUSED })
})

test('once a process seals with a new key, one that lacks it does not start, and the former key can be removed', async () => {
  const { start } = await openCluster()
  await start(first)
  await start(second, first)
  await expect(start(first)).rejects.toMatchObject(REFUSED)
  await start(first, second)
  await start(second, first)
  await start(second)
})

test('a dry run of reseal leaves the key of the running processes as it is', async () => {
  const { start, url } = await openCluster()
  await start(first)
  const environment = (...keys: VaultKeys) => ({
    DATABASE_URL: url,
    VAANI_ENCRYPTION_KEY: keys.map((key) => key.toString('base64')).join(),
  })
  expect(await runToEnd(['reseal', '--dry-run'], environment(second))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(REASON),
  })
  expect(await runToEnd(['reseal', '--dry-run'], environment(second, first))).toMatchObject({ code: 0 })
  await start(first)
  expect(await runToEnd(['reseal'], environment(second, first))).toMatchObject({ code: 0, stderr: '' })
  await expect(start(first)).rejects.toMatchObject(REFUSED)
  await start(second)
})

test('a database of an earlier version gets its check at the next start', async () => {
  const { start } = await openCluster()
  const { context } = await start(first)
  await context.database.deleteFrom('vault_check').execute()
  await start(first)
  await expect(start(second)).rejects.toMatchObject(REFUSED)
})
