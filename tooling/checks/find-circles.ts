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

/** Finds every circle of folders of a workspace's sources, through imports of any kind. Files beside the folders belong to none. */
export function findFolderCircles(files: readonly ImportingFile[]): string[] {
  const needs = new Map<string, Set<string>>()
  for (const { file, imports } of files) {
    const [folder, workspace] = placeOf(file)
    if (folder === undefined) continue
    const needed = needs.get(folder) ?? new Set()
    needs.set(folder, needed)
    for (const imported of imports) {
      const [other, itsWorkspace] = placeOf(imported)
      if (other !== undefined && other !== folder && itsWorkspace === workspace) needed.add(other)
    }
  }
  return listCircles(needs).map(
    (circle) =>
      `${circle}: these folders need each other; move what both need below them, or what joins them above`,
  )
}

/** Returns the folder of a source, such as `packages/client/src/upload`, and its workspace. */
const placeOf = (file: string): readonly (string | undefined)[] =>
  /^((?:packages|apps)\/[^/]+)\/src\/[^/]+(?=\/)/.exec(file)?.slice(0, 2) ?? []

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
