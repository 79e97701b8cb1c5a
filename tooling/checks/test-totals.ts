import path from 'node:path'

/** The part of vitest's JSON report of one file that matters here. */
export interface FileReport {
  /** Its path. */
  readonly name: string
  readonly status: string
  /** Why the file failed outside its tests. */
  readonly message?: string
  readonly assertionResults: readonly {
    readonly status: string
    readonly fullName: string
    readonly failureMessages?: readonly string[]
  }[]
}

/** The part of vitest's JSON report that matters here. */
export interface TestReport {
  readonly testResults: readonly FileReport[]
}

export interface RunOutcome {
  readonly report: TestReport
  readonly testExitCode: number
  /** Reports of files that failed and were run again, alone. */
  readonly repeated: readonly FileReport[]
  readonly isCheckPassed: boolean
}

export interface Totals {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

const hasFailed = ({ status }: { readonly status: string }): boolean => status === 'failed'

export const failedFiles = ({ testResults }: TestReport): FileReport[] => testResults.filter(hasFailed)

/** Returns a line for each file that failed and then passed alone, such as `flaky: a.e2e.ts (what failed)`. */
export function listFlaky(
  { report, repeated }: Pick<RunOutcome, 'report' | 'repeated'>,
  root: string,
): string[] {
  const passed = new Set(repeated.filter((file) => !hasFailed(file)).map(({ name }) => name))
  return failedFiles(report)
    .filter(({ name }) => passed.has(name))
    .map(({ name, assertionResults }) => {
      const failed = assertionResults.filter(hasFailed).map(({ fullName }) => fullName)
      return `flaky: ${path.relative(root, name)} (${failed.join('; ') || 'the file, outside its tests'})`
    })
}

/**
 * Counts the results of a run. A file that passed when it ran again counts by that. A file that fails outside its tests counts
 * as one failure. So do a failed check, and a run that fails although no test does (an unhandled error).
 */
export function countTotals({ report, testExitCode, repeated, isCheckPassed }: RunOutcome): Totals {
  const again = new Map(repeated.map((file) => [file.name, file]))
  const files = report.testResults.map((file) => again.get(file.name) ?? file)
  const tests = files.flatMap(({ assertionResults }) => assertionResults)
  const brokenFiles = files.filter((file) => hasFailed(file) && !file.assertionResults.some(hasFailed)).length
  const isUnexplained = testExitCode !== 0 && failedFiles(report).length === 0
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failed = tests.filter(hasFailed).length
  return {
    passed,
    failed: failed + brokenFiles + (isUnexplained ? 1 : 0) + (isCheckPassed ? 0 : 1),
    skipped: tests.length - passed - failed,
  }
}

/** @returns the last line of a CI run, such as `120 passed, 0 failed, 2 skipped` */
export function formatTotals({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
