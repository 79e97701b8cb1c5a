import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readWorkspaces } from './workspaces.ts'

/** A module with declarations that a published package exports. */
export interface PublishedModule {
  /** As users import it: `@vaani/client/speech`. */
  readonly name: string
  /** Directory of its workspace, relative to the root. */
  readonly directory: string
  /** Its code, relative to the directory. */
  readonly file: string
  /** Its declarations, relative to the directory. */
  readonly types: string
}

/** A module that is our API. */
export interface Entry {
  /** Directory of its workspace, relative to the root. */
  readonly directory: string
  /** Absolute path. */
  readonly declarations: string
  /** Relative to the root: `packages/client/etc/client.speech.api.md`. */
  readonly report: string
}

/** Re-exports of ts-rest, which are not our API. */
const OTHERS: readonly string[] = ['@vaani/contracts/ts-rest', '@vaani/contracts/ts-rest/fastify']

/** Lists every module with declarations of every published package. */
export function listModules(root: string): PublishedModule[] {
  const published = readWorkspaces(root).filter(({ manifest }) => manifest.private !== true)
  return published.flatMap(({ directory, manifest: { name } }) => {
    const file = path.join(root, directory, 'package.json')
    const { exports = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
      exports?: Readonly<Record<string, string | { readonly types?: string; readonly default: string }>>
    }
    return Object.entries(exports).flatMap(([entry, target]) =>
      typeof target === 'string' || target.types === undefined
        ? []
        : [{ name: path.posix.join(name, entry), directory, file: target.default, types: target.types }],
    )
  })
}

/** Lists every entry with declarations of every published package. */
export function listEntries(root: string): Entry[] {
  return listModules(root)
    .filter(({ name }) => !OTHERS.includes(name))
    .map(({ name, directory, types }) => ({
      directory,
      declarations: path.join(root, directory, types),
      report: `${directory}/etc/${[...name.split('/').slice(1), 'api', 'md'].join('.')}`,
    }))
}
