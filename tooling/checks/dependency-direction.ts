/** Fails on an import or a dependency that breaks a rule of arrows.ts or service-rules.ts, and on circles of workspaces. */
import path from 'node:path'

import { findCircles } from './find-circles.ts'
import { describe, findImportProblems } from './find-import-problems.ts'
import { findManifestProblems } from './find-manifest-problems.ts'
import { readWorkspaces } from './workspaces.ts'

const root = path.resolve(import.meta.dirname, '../..')
const workspaces = readWorkspaces(root)
const imports = await findImportProblems(root)
const problems = [
  ...findManifestProblems(workspaces),
  ...findCircles(workspaces),
  ...imports.problems.map(describe),
  ...imports.folderCircles,
]
for (const problem of problems) console.error(problem)
console.log(`dependency direction: ${workspaces.length} workspaces, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
