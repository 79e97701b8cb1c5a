import { names, rowOf } from './arrows.ts'
import type { Workspace } from './workspaces.ts'

/** Finds dependencies in each package.json that break the arrows, even if no file imports them. */
export function findManifestProblems(workspaces: readonly Workspace[]): string[] {
  const byName = new Map(workspaces.map((workspace) => [workspace.manifest.name, workspace]))
  return workspaces.flatMap(({ directory, manifest }) => {
    const row = rowOf(directory)
    if (!row) return [`${directory}: has no row in arrows.ts`]
    return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
      .map((name) => byName.get(name))
      .filter((used) => used !== undefined)
      .flatMap((used) => {
        const file = `${directory}/package.json`
        if (!names(row.atRunTime, used.directory))
          return [`${file}: may not depend on ${used.manifest.name}; see arrows.ts`]
        // A published workspace lists the packages that it bundles in devDependencies.
        if (manifest.private !== true && used.manifest.private === true)
          return [`${file}: is published, so it may not depend on ${used.manifest.name}, which is not`]
        return []
      })
  })
}
