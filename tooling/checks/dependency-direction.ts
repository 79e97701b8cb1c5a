/** Fails on a wrong arrow between workspaces; the rules are in dependency-rules.ts. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { findDependencyProblems } from './dependency-problems.ts'
import { readWorkspaces } from './workspaces.ts'

const root = path.resolve(import.meta.dirname, '../..')
const skipped = ['node_modules', 'dist']

const workspaces = readWorkspaces(root).map((workspace) => {
  const cwd = path.join(root, workspace.directory)
  const files = globSync('**/*.{ts,tsx}', { cwd, exclude: (name) => skipped.includes(name) })
  const sources = files.map((file) => [
    file.replaceAll('\\', '/'),
    readFileSync(path.join(cwd, file), 'utf8'),
  ])
  return { ...workspace, sources: Object.fromEntries(sources) }
})

const problems = findDependencyProblems(workspaces)
for (const problem of problems) console.error(problem)
console.log(`dependency direction: ${workspaces.length} workspaces, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
