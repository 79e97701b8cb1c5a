/** Fails on a change of the contract that breaks clients of the last release, unless a changeset announces a major version. */
import path from 'node:path'
import { findBreakingChangesSinceRelease, isMajorAnnounced } from './released-document.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const problems = findBreakingChangesSinceRelease(root)
for (const problem of problems ?? []) console.error(problem)
if (problems === undefined) console.log('breaking changes: nothing has been released yet')
else if (problems.length === 0) console.log('breaking changes: none since the last release')
else if (isMajorAnnounced(root)) console.log(`breaking changes: ${problems.length}, for a major version`)
else {
  console.error(
    'These break clients of the last release: undo them, or add a changeset `@vaani/contracts: major`.',
  )
  process.exitCode = 1
}
