/**
 * Checks that the metadata of each published package.json derives from the root's, and that links in Markdown files are valid.
 * `--write` (`pnpm metadata`) writes those fields instead.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { readWorkspaces } from '../workspaces.ts'
import { findBrokenLinks, findUnpackedLinks } from './find-link-problems.ts'
import { findMetadataProblems, metadataOf } from './package-metadata.ts'
import { readProject } from './read-project.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const project = readProject(root)
const published = readWorkspaces(root).filter(({ manifest }) => manifest.private !== true)
if (process.argv.includes('--write'))
  for (const workspace of published) {
    const manifest = { ...workspace.manifest, ...metadataOf(project, workspace) }
    const file = path.join(root, workspace.directory, 'package.json')
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
  }
const problems = [
  ...readWorkspaces(root)
    .filter(({ manifest }) => manifest.private !== true)
    .flatMap((workspace) => [
      ...findMetadataProblems(project, workspace),
      ...findUnpackedLinks(root, workspace),
    ]),
  ...findBrokenLinks(root),
]
for (const problem of problems) console.error(problem)
console.log(`package metadata: ${published.length} published packages, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
