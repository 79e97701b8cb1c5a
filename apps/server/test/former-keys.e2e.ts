import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { startTestServer } from './support/test-server.ts'

test('a server does not start without the key of a previous webhook secret that still signs', async () => {
  const [former, current] = [randomBytes(32), randomBytes(32)]
  await using before = await startTestServer({ config: { encryptionKeys: [former] } })
  const { dataDirectory, databaseUrl } = before.context.settings
  const shared = { dataDirectory, databaseUrl }
  const { database, vault } = before.context
  const account = await database.selectFrom('accounts').select('account_id').executeTakeFirstOrThrow()
  const owner = { ownerId: account.account_id, accountId: account.account_id, livemode: false }
  await before.context.webhooks.secrets.rotate(database, owner)
  await using after = await startTestServer({
    config: { ...shared, encryptionKeys: [current, former] },
    key: before.key,
  })
  const rotation = { overlapMs: 60_000, signWith: 'new' } as const
  await after.context.webhooks.secrets.rotate(database, owner, rotation)
  const row = await database.selectFrom('webhook_secrets').selectAll().executeTakeFirstOrThrow()
  expect(row.previous_sealed?.subarray(0, 4)).toEqual(vault.keyId)
  await expect(
    startTestServer({ config: { ...shared, encryptionKeys: [current] }, key: before.key }),
  ).rejects.toMatchObject({ name: 'ConfigError' })
})
