/**
 * `pnpm house`: what one meets who changes this code: files, their lines and long functions, by kind of file; circles of workspaces
 * and folders; and how many lists name every group. To compare, run it in a checkout of another commit too.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { findCircles } from './find-circles.ts'
import { findImportProblems } from './find-import-problems.ts'
import { readWorkspaces } from './workspaces.ts'

const LONGEST_FUNCTION_LINES = 80

type Kind = 'generated' | 'tests' | 'tooling' | 'sources'

const root = path.resolve(import.meta.dirname, '../..')
const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mts'], { cwd: root, encoding: 'utf8' })
const files = Map.groupBy(tracked.trim().split('\n'), kindOf)
const longFunctions = findLongFunctions()
for (const [kind, names] of files) {
  const lines = names.map((name) => readFileSync(path.join(root, name), 'utf8').split('\n').length - 1)
  lines.sort((one, other) => one - other)
  console.log(
    [
      `${kind}: ${lines.length} files`,
      `${lines.reduce((sum, count) => sum + count, 0)} lines`,
      `median ${lines[lines.length >> 1]}`,
      `${longFunctions.filter((name) => kindOf(name) === kind).length} functions over ${LONGEST_FUNCTION_LINES} lines`,
    ].join(', '),
  )
}

const circles = [...findCircles(readWorkspaces(root)), ...(await findImportProblems(root)).folderCircles]
console.log(`circles of workspaces or folders: ${circles.length}`)
execFileSync(process.execPath, ['tooling/generator/count-edits.ts'], { cwd: root, stdio: 'inherit' })

function kindOf(file: string): Kind {
  if (file.includes('/generated/')) return 'generated'
  if (/\.(?:test|e2e)\.tsx?$|\/(?:test|testing|bench|chaos|fuzz)\//.test(file)) return 'tests'
  return file.startsWith('tooling/') ? 'tooling' : 'sources'
}

/** Returns the file of each function that is too long. */
function findLongFunctions(): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'vaani-house-'))
  try {
    const config = path.join(folder, 'oxlint.json')
    const rules = { 'max-lines-per-function': ['error', { max: LONGEST_FUNCTION_LINES }] }
    writeFileSync(config, JSON.stringify({ categories: { correctness: 'off' }, rules }))
    const parameters = ['--format', 'json', '--config', config, 'apps', 'packages', 'tooling']
    const { stdout } = spawnSync('oxlint', parameters, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string }[] }
    return diagnostics.map(({ filename }) => filename)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
