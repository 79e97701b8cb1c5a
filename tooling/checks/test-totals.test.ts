import { expect, test } from 'vitest'

import { countTotals, formatTotals } from './test-totals.ts'

const file = (status: string, ...assertions: string[]) => ({
  status,
  assertionResults: assertions.map((assertion) => ({ status: assertion })),
})
const green = {
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [file('passed', 'passed', 'passed', 'passed')],
}
const success = { report: green, testExitCode: 0, isCheckPassed: true }

test.each([
  ['all pass', success, '3 passed, 0 failed'],
  [
    'some are skipped or to do',
    { ...success, report: { ...green, numPendingTests: 1, numTodoTests: 1 } },
    '3 passed, 0 failed, 2 skipped',
  ],
  ['the check failed', { ...success, isCheckPassed: false }, '3 passed, 1 failed'],
  [
    'a test failed',
    {
      ...success,
      testExitCode: 1,
      report: { ...green, numFailedTests: 1, testResults: [file('failed', 'failed')] },
    },
    '3 passed, 1 failed',
  ],
  [
    'a file did not load',
    { ...success, testExitCode: 1, report: { ...green, testResults: [file('failed')] } },
    '3 passed, 1 failed',
  ],
  ['an error belongs to no test', { ...success, testExitCode: 1 }, '3 passed, 1 failed'],
])('%s', (_, outcome, line) => {
  expect(formatTotals(countTotals(outcome))).toBe(line)
})
