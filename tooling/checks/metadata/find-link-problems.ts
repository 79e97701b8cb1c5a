import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Workspace } from '../workspaces.ts'
import { relativeLinks } from './readme-links.ts'

/** Finds broken links in the repository's Markdown files. */
export function findBrokenLinks(root: string): string[] {
  const patterns = ['*.md', '{.github,docs,interop,packages,apps,tooling}/**/*.md']
  const exclude = ['**/node_modules', '**/dist', '**/.*.md']
  return globSync(patterns, { cwd: root, exclude }).flatMap((file) =>
    linksOf(path.join(root, file))
      .filter((target) => !existsSync(path.join(root, path.dirname(file), target)))
      .map((target) => `${file}: ${target} does not exist`),
  )
}

/** Finds files that a package's README links to but its tarball would lack. */
export function findUnpackedLinks(root: string, { directory, manifest }: Workspace): string[] {
  const files = manifest.files ?? []
  return linksOf(path.join(root, directory, 'README.md'))
    .map((target) => path.posix.normalize(target))
    .filter((target) => !target.startsWith('..'))
    .filter((target) => !files.some((packed) => target === packed || target.startsWith(`${packed}/`)))
    .map((target) => `${directory}/package.json: \`files\` lacks ${target}, which README.md names`)
}

const linksOf = (file: string): string[] => relativeLinks(readFileSync(file, 'utf8'))
