import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readWorkspaces } from './workspaces.ts'

/** An import path of a published package. */
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

/** Lists every entry with declarations of every published package. */
export function listEntries(root: string): Entry[] {
  const published = readWorkspaces(root).filter(({ manifest }) => manifest.private !== true)
  return published.flatMap(({ directory, manifest: { name } }) => {
    const file = path.join(root, directory, 'package.json')
    const { exports = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
      exports?: Readonly<Record<string, string | { readonly types?: string }>>
    }
    const short = name.replace(/^@.*\//, '')
    return Object.entries(exports).flatMap(([entry, target]) => {
      const types = typeof target === 'string' ? undefined : target.types
      if (types === undefined || OTHERS.includes(path.posix.join(name, entry))) return []
      const report = [short, ...entry.split('/').slice(1), 'api', 'md'].join('.')
      return [
        { directory, declarations: path.join(root, directory, types), report: `${directory}/etc/${report}` },
      ]
    })
  })
}
