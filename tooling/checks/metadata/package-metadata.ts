import type { Workspace } from '../workspaces.ts'

/** Addresses of the project; the root's package.json is the only source. */
export interface Project {
  readonly homepage: string
  readonly bugs: string
  readonly author: string
  readonly repository: { readonly type: string; readonly url: string }
}

/** Returns the web address of the repository: `https://github.com/vaani-dev/vaani`. */
export const addressOf = ({ repository }: Project): string =>
  repository.url.replace(/^git\+/, '').replace(/\.git$/, '')

/** Returns the fields of a published package.json that derive from the root's. */
export function metadataOf(project: Project, { directory }: Workspace): Readonly<Record<string, unknown>> {
  return {
    homepage: `${addressOf(project)}/tree/main/${directory}#readme`,
    bugs: project.bugs,
    author: project.author,
    repository: { ...project.repository, directory },
    publishConfig: { access: 'public', provenance: true },
  }
}

/** Finds fields of a published package.json that differ from the root's or are missing. */
export function findMetadataProblems(project: Project, workspace: Workspace): string[] {
  const { directory, manifest } = workspace
  const file = `${directory}/package.json`
  const differing = Object.entries(metadataOf(project, workspace))
    .filter(([field, expected]) => JSON.stringify(manifest[field]) !== JSON.stringify(expected))
    .map(([field]) => `${file}: \`${field}\` does not follow from the root's; run \`pnpm metadata\``)
  const own = ['description', 'keywords', 'license', 'files', 'engines']
    .filter((field) => manifest[field] === undefined)
    .map((field) => `${file}: lacks \`${field}\``)
  return [...differing, ...own]
}
