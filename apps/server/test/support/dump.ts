import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type { Db } from '@vaani/service-kit/database/connect'

/** Everything that a server has stored: each row of each table, and each file with its path, as text and as bytes. */
export async function dumpAll(database: Db, directory: string): Promise<string[]> {
  return [...(await dumpTables(database)), ...(await dumpFiles(directory))]
}

/** Dumps the rows of all tables of all schemas. Values of type `bytea` are shown in hex and decoded. */
async function dumpTables(database: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select nspname as schema, relname as name from pg_class join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'm') and nspname not in ('pg_catalog', 'information_schema')`.execute(database)
  const dumps = tables.map(async ({ schema, name }) => {
    const { rows } = await sql<{ text: string }>`
      select one::text as text from ${sql.table(`${schema}.${name}`)} one`.execute(database)
    return rows.flatMap(({ text }) => [`${name} ${text}`, ...decode(text)])
  })
  return (await Promise.all(dumps)).flat()
}

const decode = (text: string): string[] =>
  Array.from(text.matchAll(/\\x([0-9a-f]+)/g), ([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))

async function dumpFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const dumps = files.map(async ({ parentPath, name }) => {
    const file = path.join(parentPath, name)
    return [path.relative(directory, file), await readFile(file, 'latin1')]
  })
  return (await Promise.all(dumps)).flat()
}
