import type { Workspace } from './workspaces.ts'

/** Finds every circle of workspaces that depend on each other, through any kind of dependency, including peers. */
export function findCircles(workspaces: readonly Workspace[]): string[] {
  const names = new Set(workspaces.map(({ manifest }) => manifest.name))
  const edges = new Map(
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
  const circles = new Set<string>()
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    const start = path.indexOf(name)
    if (start >= 0) circles.add([...path.slice(start), name].join(' → '))
    if (start >= 0 || done.has(name)) return
    for (const used of edges.get(name) ?? []) visit(used, [...path, name])
    done.add(name)
  }
  for (const name of edges.keys()) visit(name, [])
  return [...circles].map((circle) => `${circle}: these workspaces need each other; see package.json of each`)
}
