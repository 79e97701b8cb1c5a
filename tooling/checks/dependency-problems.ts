import path from 'node:path'

import {
  arrows,
  developmentFile,
  inDevelopment,
  sharedVectors,
  tsRestFiles,
  tsRestPackages,
} from './dependency-rules.ts'
import type { Import } from './imports.ts'
import { packageOf, readImports } from './imports.ts'
import type { Manifest, Workspace } from './workspaces.ts'

export interface WorkspaceSources extends Workspace {
  /** The text of each source by its path inside the workspace. */
  readonly sources: Readonly<Record<string, string>>
}

/** Every broken rule as one line that names the file; empty when the arrows are right. */
export function findDependencyProblems(workspaces: readonly WorkspaceSources[]): string[] {
  const directories = new Map(workspaces.map(({ manifest, directory }) => [manifest.name, directory]))
  return [
    ...workspaces.flatMap((workspace) => checkManifest(workspace, directories)),
    ...workspaces.flatMap((workspace) =>
      Object.entries(workspace.sources).flatMap(([file, source]) =>
        readImports(source)
          .map((imported) => checkImport({ workspace, file, imported, directories }))
          .filter((problem) => problem !== undefined)
          .map((problem) => `${workspace.directory}/${file}: ${problem}`),
      ),
    ),
    ...findCircles(workspaces),
  ]
}

function checkManifest(
  { directory, manifest }: Workspace,
  directories: ReadonlyMap<string, string>,
): string[] {
  const rule = ruleFor(directory)
  if (!rule) return [`${directory}: has no row in dependency-rules.ts`]
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
    .filter((name) => !isAllowed(directories.get(name), rule.atRunTime))
    .map((name) => `${directory}/package.json: may not depend on ${name}`)
}

interface ImportInPlace {
  readonly workspace: Workspace
  readonly file: string
  readonly imported: Import
  readonly directories: ReadonlyMap<string, string>
}

function checkImport({ workspace, file, imported, directories }: ImportInPlace): string | undefined {
  const { directory, manifest } = workspace
  const { specifier, isTypeOnly } = imported
  const isDevelopment = developmentFile.test(file) || directory.startsWith('tooling/')

  if (specifier.startsWith('.')) {
    const target = path.posix.join(directory, path.posix.dirname(file), specifier)
    if (target.startsWith(`${directory}/`) || (isDevelopment && target.startsWith(sharedVectors)))
      return undefined
    return `${specifier} leaves the package`
  }
  const name = packageOf(specifier)
  if (tsRestPackages.test(name) && !tsRestFiles.some((allowed) => allowed.test(`${directory}/${file}`)))
    return `${specifier} belongs in the adapter files that dependency-rules.ts lists`

  const target = directories.get(name)
  if (target === undefined || name === manifest.name) return undefined
  if (!Object.hasOwn({ ...ownDependencies(manifest), ...manifest.peerDependencies }, name))
    return `${name} is not declared in package.json`
  const rule = ruleFor(directory)
  const allowed = [
    ...(rule?.atRunTime ?? []),
    ...(isTypeOnly ? (rule?.asTypes ?? []) : []),
    ...(isDevelopment ? inDevelopment : []),
  ]
  return isAllowed(target, allowed) ? undefined : `may not import ${name}${isTypeOnly ? '' : ' at run time'}`
}

/** Circles among all declared dependencies: those for development count too, as they order the build. */
/** Peers make none: they are the user's to install, as is the server that the testing kit starts as a process. */
function findCircles(workspaces: readonly Workspace[]): string[] {
  const graph = new Map(
    workspaces.map(({ manifest }) => [manifest.name, Object.keys(ownDependencies(manifest))]),
  )
  const finished = new Set<string>()
  const circles: string[] = []
  const visit = (name: string, trail: readonly string[]): void => {
    if (trail.includes(name)) {
      circles.push(`circle: ${[...trail.slice(trail.indexOf(name)), name].join(' → ')}`)
      return
    }
    if (finished.has(name)) return
    for (const dependency of graph.get(name) ?? []) visit(dependency, [...trail, name])
    finished.add(name)
  }
  for (const name of graph.keys()) visit(name, [])
  return circles
}

const ownDependencies = (manifest: Manifest): Record<string, string> => ({
  ...manifest.dependencies,
  ...manifest.devDependencies,
  ...manifest.optionalDependencies,
})

function ruleFor(directory: string) {
  return arrows[directory] ?? arrows[`${path.posix.dirname(directory)}/*`]
}

/** A target outside the workspaces is nobody's arrow. */
function isAllowed(target: string | undefined, allowed: readonly string[]): boolean {
  return (
    target === undefined || allowed.includes(target) || allowed.includes(`${path.posix.dirname(target)}/*`)
  )
}
