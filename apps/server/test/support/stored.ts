import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import type { TestServer } from './test-server.ts'

/** Digests of what a server stores, except the list of what it refused: the rows of each table and each file in its data directory. */
export type Stored = Readonly<Record<string, string>>

export async function readStored({ context }: TestServer): Promise<Stored> {
  const { database, settings } = context
  const tables = await sql<{ name: string }>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public' and c.relname <> 'refused_requests'
    order by name`.execute(database)
  const digests: RawBuilder<unknown>[] = tables.rows.map(
    ({ name }) => sql`
      select ${name}::text as name, count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as digest
      from ${sql.raw(name)} t`,
  )
  const { rows } = await sql<{ name: string; digest: string }>`
    ${sql.join(digests, sql` union all `)}`.execute(database)
  return {
    ...Object.fromEntries(rows.map(({ name, digest }) => [name, digest])),
    ...(await digestFiles(settings.dataDirectory)),
  }
}

async function digestFiles(directory: string): Promise<Stored> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const digests = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name)
      const content = entry.isFile()
        ? createHash('md5')
            .update(await readFile(file))
            .digest('hex')
        : 'folder'
      return [path.relative(directory, file), content] as const
    }),
  )
  return Object.fromEntries(digests.toSorted())
}

/** Returns the names of the tables and files that differ. */
export const changesBetween = (before: Stored, after: Stored): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name])
