/**
 * `pnpm flaky FILE [TIMES]`: repeats a test file beside a load of three busy processes for each core, and prints which of its tests
 * failed how often, and why at first. Default: 20 times.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'

import type { TestReport } from './test-totals.ts'

const BUSY_PER_CORE = 3

const root = path.resolve(import.meta.dirname, '../..')
const [file, times = '20'] = process.argv.slice(2)
if (file === undefined) throw new Error('Name a test file: pnpm flaky apps/server/test/calls.e2e.ts 50')
const folder = mkdtempSync(path.join(tmpdir(), 'vaani-flaky-'))
const output = path.join(folder, 'report.json')
const failures = new Map<string, { times: number; message: string }>()
let failedRuns = 0
const load = Array.from({ length: BUSY_PER_CORE * availableParallelism() }, keepBusy)
try {
  for (let run = 1; run <= Number(times); run++) {
    rmSync(output, { force: true })
    const startedAtMs = performance.now()
    const { status } = spawnSync('npm', ['test', '--', '--project=*', file], {
      cwd: root,
      env: { ...process.env, VAANI_TEST_REPORT: output },
      stdio: 'ignore',
    })
    if (status !== 0) failedRuns++
    for (const { name, message } of status === 0 ? [] : listFailures()) {
      const first = failures.get(name)
      failures.set(name, { times: (first?.times ?? 0) + 1, message: first?.message ?? message })
    }
    const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(0)
    console.log(`${run} of ${times}: ${status === 0 ? 'passed' : 'FAILED'} (${seconds} s)`)
  }
} finally {
  for (const child of load) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
}
console.log(`${failedRuns} of ${times} runs failed`)
for (const [name, { times: count, message }] of failures) console.log(`${count} times: ${name}\n${message}`)
process.exitCode = failedRuns === 0 ? 0 : 1

/** Starts a process that uses one core, and ends with this one. */
function keepBusy(): ChildProcess {
  const program = `let isWanted = true
    process.stdin.on('end', () => (isWanted = false)).resume()
    const spin = () => {
      for (let index = 0; index < 1e7; index++);
      if (isWanted) setImmediate(spin)
    }
    spin()`
  return spawn(process.execPath, ['--eval', program], { stdio: ['pipe', 'ignore', 'ignore'] })
}

function listFailures(): { name: string; message: string }[] {
  const outside = [{ name: 'the file, outside its tests', message: '' }]
  if (!existsSync(output)) return outside
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as TestReport
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages = [] }) => ({ name: fullName, message: failureMessages.join('\n') })),
  )
  return failed.length > 0 ? failed : outside
}
