import { randomUUID } from 'node:crypto'
import { access, chmod, cp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

const PROGRAMS = ['postgres', 'initdb'] as const

export const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

export interface Binaries {
  /** Contains `bin/postgres` and its libraries. */
  directory: string
  /** E.g. `18`. */
  majorVersion: string
}

/**
 * Copies the binaries of the platform's package next to the data. The copy can be made readable for the user that Postgres
 * runs as, and can have the symbolic links that a package cannot contain.
 */
export async function installBinaries(directory: string): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const packageName = `@embedded-postgres/${platform}-${process.arch}`
  const root = await findPackage(packageName)
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const target = path.join(directory, `postgres-${version}`)
  const majorVersion = version.split('.', 1)[0] ?? ''
  if (await exists(target)) return { directory: target, majorVersion }

  const copy = `${target}.${randomUUID()}`
  await cp(path.join(root, 'native'), copy, { recursive: true })
  await makeLinks(copy)
  const suffix = process.platform === 'win32' ? '.exe' : ''
  await Promise.all(PROGRAMS.map((program) => chmod(path.join(copy, 'bin', program + suffix), 0o755)))
  try {
    await rename(copy, target)
  } catch (error) {
    await rm(copy, { recursive: true, force: true })
    // Another process may have been faster; its copy is the same.
    if (!(await exists(target))) throw error
  }
  return { directory: target, majorVersion }
}

async function findPackage(packageName: string): Promise<string> {
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(packageName)), '..')
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'platform_not_supported',
      `There is no embedded Postgres for ${process.platform}-${process.arch}; set DATABASE_URL`,
      { cause },
    )
  }
}

async function makeLinks(copy: string): Promise<void> {
  const list = path.join(copy, 'pg-symlinks.json')
  if (!(await exists(list))) return
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  const inside = (file: string) => file.replace(/^native\//, '')
  for (const { source, target } of links) {
    const link = path.join(copy, inside(target))
    if (await exists(link)) continue
    await symlink(path.relative(path.dirname(inside(target)), inside(source)), link)
  }
}
