/** The part of vitest's JSON report that matters for the totals. */
export interface TestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

export interface RunOutcome {
  readonly report: TestReport
  readonly testExitCode: number
  readonly isCheckPassed: boolean
}

export interface Totals {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/**
 * Counts the results of a run. A file that fails before its first test counts as one failure. So do a failed check, and a run
 * that fails although no test does (an unhandled error).
 */
export function countTotals({ report, testExitCode, isCheckPassed }: RunOutcome): Totals {
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  ).length
  const shown = report.numFailedTests + brokenFiles
  const isUnexplained = shown === 0 && testExitCode !== 0
  return {
    passed: report.numPassedTests,
    failed: shown + (isUnexplained ? 1 : 0) + (isCheckPassed ? 0 : 1),
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** @returns the last line of a CI run, such as `120 passed, 0 failed, 2 skipped` */
export function formatTotals({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
