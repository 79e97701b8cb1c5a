import type { Workspace } from '../workspaces.ts'

/** Adds the published workspaces that the given ones need where they are installed, directly or not. */
export function withNeeded(wanted: readonly Workspace[], published: readonly Workspace[]): Workspace[] {
  const found = new Set(wanted)
  // Also visits those that are added meanwhile.
  for (const { manifest } of found) {
    const { dependencies, optionalDependencies, peerDependencies } = manifest
    const needed = { ...dependencies, ...optionalDependencies, ...peerDependencies }
    for (const workspace of published) if (workspace.manifest.name in needed) found.add(workspace)
  }
  return published.filter((workspace) => found.has(workspace))
}
