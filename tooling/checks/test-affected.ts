/**
 * `pnpm test:affected [BASE]`: runs the unit tests that import files changed since BASE, committed or not. The default BASE is the
 * point where this branch left main. Vitest follows imports; a task runner would select whole workspaces, most of which use
 * `pcm-audio`.
 */
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const [base = findBase(), ...others] = process.argv.slice(2)
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
const parameters = ['run', '--project', 'unit', '--changed', base, '--passWithNoTests', ...others]
const { status } = spawnSync(process.execPath, [vitest, ...parameters], { cwd: root, stdio: 'inherit' })
process.exitCode = status ?? 1

function findBase(): string {
  for (const main of ['upstream/main', 'origin/main', 'main']) {
    const { status, stdout } = spawnSync('git', ['merge-base', 'HEAD', main], { cwd: root, encoding: 'utf8' })
    if (status === 0) return stdout.trim()
  }
  // Without a main branch, compare with the last commit.
  return 'HEAD'
}
