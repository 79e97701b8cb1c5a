/** `report-totals.ts REPORT TEST_EXIT_CODE CHECK_EXIT_CODE` prints the totals of a CI run, and fails with it. */
import { existsSync, readFileSync } from 'node:fs'

import type { TestReport } from './test-totals.ts'
import { countTotals, formatTotals } from './test-totals.ts'

const [file = '', testExitCode, checkExitCode] = process.argv.slice(2)
const totals = countTotals({
  report: readReport(),
  testExitCode: Number(testExitCode),
  isCheckPassed: Number(checkExitCode) === 0,
})
console.log(formatTotals(totals))
process.exitCode = totals.failed === 0 ? 0 : 1

function readReport(): TestReport | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return text === '' ? undefined : JSON.parse(text)
}
