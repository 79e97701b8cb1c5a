/** Fails on decisions that are too long, and on subjects of this branch's commits that cannot be scanned. */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { branchBase } from './branch-base.ts'
import { findDecisionProblems, findSubjectProblems } from './find-prose-problems.ts'

const root = path.resolve(import.meta.dirname, '../..')
const decisions = Object.fromEntries(
  globSync('docs/decisions/*.md', { cwd: root }).map((file) => [
    file,
    readFileSync(path.join(root, file), 'utf8'),
  ]),
)
const base = branchBase(root)
const log =
  base === undefined
    ? ''
    : execFileSync('git', ['log', '--no-merges', '--format=%s', `${base}..HEAD`], {
        cwd: root,
        encoding: 'utf8',
      })
const problems = [
  ...findDecisionProblems(decisions),
  ...findSubjectProblems(log.split('\n').filter((subject) => subject !== '')),
]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
