/**
 * `pnpm test:affected [BASE]`: runs the unit tests that import files changed since BASE, committed or not. The default BASE is the
 * point where this branch left main. Vitest follows imports; a task runner would select whole workspaces, most of which use
 * `pcm-audio`.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'

import { branchBase } from './branch-base.ts'

const root = path.resolve(import.meta.dirname, '../..')
// Without a main branch, compare with the last commit.
const [base = branchBase(root) ?? 'HEAD', ...others] = process.argv.slice(2)
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
const parameters = ['run', '--project', 'unit', '--changed', base, '--passWithNoTests', ...others]
const { status } = spawnSync(process.execPath, [vitest, ...parameters], { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1
