import { randomBytes } from 'node:crypto'
import { createTestDatabase } from '@vaani/test-services'
import { query } from './query.ts'
import { migrateUrl } from './test-server.ts'

/** Creates a database to back up. */
export const createMigrated = () => createTestDatabase({ template: { name: 'server', migrate: migrateUrl } })
/** Settings that a server has before and after the restore. */
export const configOf = ({ url }: { url: string }) => ({
  databaseUrl: url,
  callbackAllowCidrs: ['127.0.0.0/8'],
  encryptionKeys: [randomBytes(32)] as const,
})
const nameOf = (url: string) => new URL(url).pathname.slice(1)

/** Copies a database that nobody is connected to, as a backup that is restored beside it. */
export async function restoreBeside(url: string) {
  const from = await createTestDatabase()
  const restored = new URL(url)
  restored.pathname = `/${nameOf(url)}_restored`
  await query(from.url, `create database ${nameOf(restored.href)} template ${nameOf(url)}`)
  return {
    url: restored.href,
    async [Symbol.asyncDispose]() {
      await query(from.url, `drop database ${nameOf(restored.href)} with (force)`)
      await from.drop()
    },
  }
}

/** Copies a database in the middle of its work, as a restored backup would be: its sessions end, and come back by themselves. */
export async function backUpBusy(url: string) {
  const name = nameOf(url)
  await using admin = await createTestDatabase()
  const letIn = (isAllowed: boolean) =>
    query(admin.url, `alter database ${name} allow_connections ${isAllowed}`)
  await letIn(false)
  try {
    await query(
      admin.url,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`,
    )
    return await restoreBeside(url)
  } finally {
    await letIn(true)
  }
}
