import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import {
  access,
  chmod,
  cp,
  lstat,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

const PROGRAMS = ['postgres', 'initdb'] as const
/** Lists every file of a copy with its size. Written last, so a copy that has it was complete. */
const LIST = 'files.json'

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
 * runs as, can have the symbolic links that a package cannot contain, and outlives the project that made it. A copy that has
 * lost files, for example to a sweep of the temporary folder, is replaced.
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
  if (!(await isWhole(target))) await copyBinaries(path.join(root, 'native'), target)
  return { directory: target, majorVersion }
}

/** Copies aside and renames, so that a folder with the final name is always complete. */
export async function copyBinaries(native: string, target: string): Promise<void> {
  const copy = `${target}.${randomUUID()}`
  try {
    // The package's install script may have made links, which `cp` would turn into absolute ones.
    await cp(native, copy, {
      recursive: true,
      filter: async (file) => !(await lstat(file)).isSymbolicLink(),
    })
    await makeLinks(copy)
    const suffix = process.platform === 'win32' ? '.exe' : ''
    await Promise.all(PROGRAMS.map((program) => chmod(path.join(copy, 'bin', program + suffix), 0o755)))
    await writeFile(path.join(copy, LIST), JSON.stringify(await listFiles(copy)))
    await replaceFolder(target, copy)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** Gives a copy its final name, unless a process that was faster has put a whole one there. */
async function replaceFolder(target: string, copy: string): Promise<void> {
  while (!(await isWhole(target)))
    try {
      return await rename(copy, target)
    } catch (error) {
      if (!isTaken(error)) throw error
      const replaced = `${target}.${randomUUID()}`
      await rename(target, replaced).catch(() => undefined)
      await rm(replaced, { recursive: true, force: true })
    }
}

/** Whether a rename failed because there is a folder of that name. */
const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')

/** Returns the size of every file in a folder, by its path; links count as the files that they lead to. */
async function listFiles(folder: string): Promise<Record<string, number>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, (await stat(path.join(folder, file))).size] as const)),
  )
}

/** Whether a copy exists and has all its files. Synchronous calls take 6 ms, where asynchronous ones take 50. */
export async function isWhole(copy: string): Promise<boolean> {
  const list = path.join(copy, LIST)
  if (!(await exists(list))) return false
  let files: Record<string, number>
  try {
    files = JSON.parse(await readFile(list, 'utf8'))
  } catch {
    // Cut short by a crash.
    return false
  }
  return Object.entries(files).every(
    ([file, size]) => statSync(path.join(copy, file), { throwIfNoEntry: false })?.size === size,
  )
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
