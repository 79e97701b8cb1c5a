/** `report-totals.ts REPORT TEST_EXIT_CODE CHECK_EXIT_CODE` prints the totals of a CI run, and fails if it failed. */
import { readFileSync } from 'node:fs'

import { countTotals, formatTotals } from './test-totals.ts'

const [file = '', testExitCode, checkExitCode] = process.argv.slice(2)
const totals = countTotals({
  report: JSON.parse(readFileSync(file, 'utf8')),
  testExitCode: Number(testExitCode),
  isCheckPassed: Number(checkExitCode) === 0,
})
console.log(formatTotals(totals))
process.exitCode = totals.failed === 0 ? 0 : 1
