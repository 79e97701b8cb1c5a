/**
 * Fails on an import or a dependency that breaks a rule of arrows.ts or service-rules.ts, on circles of workspaces and folders,
 * and on SQL in the wrong place.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { findCircles } from './find-circles.ts'
import { describe, findImportProblems } from './find-import-problems.ts'
import { findManifestProblems } from './find-manifest-problems.ts'
import { findSqlProblems } from './find-sql-problems.ts'
import { readWorkspaces } from './workspaces.ts'

const root = path.resolve(import.meta.dirname, '../..')
const workspaces = readWorkspaces(root)
const services = globSync('apps/*/src/**/*.ts', { cwd: root }).map((file) => ({
  file: file.replaceAll(path.sep, '/'),
  text: readFileSync(path.join(root, file), 'utf8'),
}))
const imports = await findImportProblems(root)
const problems = [
  ...findManifestProblems(workspaces),
  ...findCircles(workspaces),
  ...imports.problems.map(describe),
  ...imports.folderCircles,
  ...findSqlProblems(services),
]
for (const problem of problems) console.error(problem)
console.log(`dependency direction: ${workspaces.length} workspaces, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
