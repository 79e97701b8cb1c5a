import type { Workspace } from './workspaces.ts'

/** What each node needs. */
type Needs = ReadonlyMap<string, Iterable<string>>

/** Finds every circle of workspaces that depend on each other, through any kind of dependency, including peers. */
export function findCircles(workspaces: readonly Workspace[]): string[] {
  const names = new Set(workspaces.map(({ manifest }) => manifest.name))
  const needs = new Map(
    workspaces.map(({ manifest }) => [
      manifest.name,
      Object.keys({
        ...manifest.dependencies,
        ...manifest.devDependencies,
        ...manifest.optionalDependencies,
        ...manifest.peerDependencies,
      }).filter((used) => names.has(used)),
    ]),
  )
  return listCircles(needs).map(
    (circle) => `${circle}: these workspaces need each other; see package.json of each`,
  )
}

/** A file, and the files that it imports, relative to the root. */
export interface ImportingFile {
  readonly file: string
  readonly imports: readonly string[]
}

/**
 * Finds every circle of folders beside each other in a workspace's sources, at any depth, through imports of any kind. Files beside
 * the folders belong to none. Features meet at their ports, so what circles there is no business of folders.
 */
export function findFolderCircles(files: readonly ImportingFile[]): string[] {
  const needs = new Map<string, Set<string>>()
  for (const { file, imports } of files)
    for (const imported of imports) {
      const [folder, other] = whereTheyPart(file, imported)
      if (folder === undefined || other === undefined || /\/features\/[^/]+$/.test(folder)) continue
      needs.set(folder, (needs.get(folder) ?? new Set()).add(other))
    }
  return listCircles(needs).map(
    (circle) =>
      `${circle}: these folders need each other; move what both need below them, or what joins them above`,
  )
}

/** Returns the two folders beside each other that contain two sources of a workspace, if these are not beside each other. */
function whereTheyPart(file: string, imported: string): readonly string[] {
  const [segments, others] = [file.split('/'), imported.split('/')]
  const depth = segments.findIndex((segment, index) => segment !== others[index])
  const isOfBoth = depth > segments.indexOf('src') && segments.includes('src')
  if (!isOfBoth || Math.min(segments.length, others.length) - 1 <= depth) return []
  return [segments, others].map((path) => path.slice(0, depth + 1).join('/'))
}

function listCircles(needs: Needs): string[] {
  const circles = new Set<string>()
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    const start = path.indexOf(name)
    if (start >= 0) circles.add([...path.slice(start), name].join(' → '))
    if (start >= 0 || done.has(name)) return
    for (const used of needs.get(name) ?? []) visit(used, [...path, name])
    done.add(name)
  }
  for (const name of needs.keys()) visit(name, [])
  return [...circles]
}
