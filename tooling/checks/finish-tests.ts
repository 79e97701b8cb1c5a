/**
 * `finish-tests.ts REPORT TEST_EXIT_CODE CHECK_EXIT_CODE` ends a run of CI: runs each file that failed once more, alone, reports those
 * that pass then as flaky, prints the totals, and fails if the run failed.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import {
  countTotals,
  failedFiles,
  type FileReport,
  formatTotals,
  listFlaky,
  type TestReport,
} from './test-totals.ts'

/** If more files fail, the change is at fault, not chance. */
const MOST_REPEATED = 8

const root = path.resolve(import.meta.dirname, '../..')
const [file = '', testExitCode, checkExitCode] = process.argv.slice(2)
const report = readReport(file)
const failed = failedFiles(report)
const repeated = failed.length > MOST_REPEATED ? [] : failed.flatMap(runAgain)
const outcome = {
  report,
  testExitCode: Number(testExitCode),
  repeated,
  isCheckPassed: Number(checkExitCode) === 0,
}
const flaky = listFlaky(outcome, root)
const totals = countTotals(outcome)
for (const line of [...flaky, formatTotals(totals)]) console.log(line)
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#adding-a-job-summary
const summary = process.env['GITHUB_STEP_SUMMARY']
if (summary !== undefined)
  appendFileSync(summary, [...flaky, formatTotals(totals)].map((line) => `- ${line}\n`).join(''))
process.exitCode = totals.failed === 0 ? 0 : 1

/** @returns nothing if the file's second run wrote no report */
function runAgain({ name }: FileReport): FileReport[] {
  console.log(`failed, and runs once more, alone: ${path.relative(root, name)}`)
  const output = `${file}.again`
  spawnSync('npm', ['test', '--', name], {
    cwd: root,
    env: { ...process.env, VAANI_TEST_REPORT: output },
    stdio: 'inherit',
  })
  return existsSync(output) ? [...readReport(output).testResults] : []
}

function readReport(from: string): TestReport {
  return JSON.parse(readFileSync(from, 'utf8'))
}
