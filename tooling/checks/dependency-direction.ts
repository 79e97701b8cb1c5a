/**
 * Fails on an import or a dependency that breaks a rule of arrows.ts or service-rules.ts, on circles of workspaces and folders,
 * on SQL in the wrong place, and on waiting lists by hand.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { findCircles } from './find-circles.ts'
import { describe, findImportProblems } from './find-import-problems.ts'
import { findManifestProblems } from './find-manifest-problems.ts'
import { findSqlProblems } from './find-sql-problems.ts'
import { findWaitingLists } from './find-waiting-lists.ts'
import { readWorkspaces } from './workspaces.ts'

const root = path.resolve(import.meta.dirname, '../..')
const workspaces = readWorkspaces(root)
const sourcesOf = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((file) => ({
    file: file.replaceAll(path.sep, '/'),
    text: readFileSync(path.join(root, file), 'utf8'),
  }))
const services = sourcesOf('apps/*/src/**/*.ts')
const imports = await findImportProblems(root)
const problems = [
  ...findManifestProblems(workspaces),
  ...findCircles(workspaces),
  ...imports.problems.map(describe),
  ...imports.folderCircles,
  ...findSqlProblems(services),
  ...findWaitingLists([...services, ...sourcesOf('packages/*/src/**/*.ts')]),
]
for (const problem of problems) console.error(problem)
console.log(`dependency direction: ${workspaces.length} workspaces, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
