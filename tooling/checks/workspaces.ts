import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What these checks read of a package.json. */
export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly version?: string
  readonly files?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

export interface Workspace {
  /** Relative to the root, with forward slashes: `packages/client`. */
  readonly directory: string
  readonly manifest: Manifest
}

/** Every workspace under packages, apps and tooling, in the order of their names. */
export function readWorkspaces(root: string): Workspace[] {
  return globSync('{packages,apps,tooling}/*', { cwd: root })
    .map((directory) => directory.replaceAll('\\', '/'))
    .filter((directory) => existsSync(path.join(root, directory, 'package.json')))
    .toSorted()
    .map((directory) => ({
      directory,
      manifest: JSON.parse(readFileSync(path.join(root, directory, 'package.json'), 'utf8')),
    }))
}
