import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The fields of package.json that these checks read. */
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

/** Returns every workspace under packages, apps and tooling, in alphabetical order. */
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
