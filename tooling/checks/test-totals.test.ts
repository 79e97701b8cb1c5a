import { expect, test } from 'vitest'

import { countTotals, formatTotals, listFlaky, type RunOutcome } from './test-totals.ts'

const file = (name: string, status: string, ...assertions: string[]) => ({
  name: `/repository/${name}`,
  status,
  assertionResults: assertions.map((one, index) => ({ status: one, fullName: `test ${index + 1}` })),
})
const good = file('good.test.ts', 'passed', 'passed', 'passed', 'passed')
const green: RunOutcome = {
  report: { testResults: [good] },
  testExitCode: 0,
  repeated: [],
  isCheckPassed: true,
}
const red = { ...green, testExitCode: 1 }
const withFile = (one: ReturnType<typeof file>) => ({ ...red, report: { testResults: [good, one] } })

test.each([
  ['all pass', green, '3 passed, 0 failed'],
  [
    'some are skipped or to do',
    { ...green, report: { testResults: [good, file('a.test.ts', 'passed', 'pending', 'todo')] } },
    '3 passed, 0 failed, 2 skipped',
  ],
  ['the check failed', { ...green, isCheckPassed: false }, '3 passed, 1 failed'],
  ['a test failed', withFile(file('a.test.ts', 'failed', 'passed', 'failed')), '4 passed, 1 failed'],
  ['a file did not load', withFile(file('a.test.ts', 'failed')), '3 passed, 1 failed'],
  ['an error belongs to no test', red, '3 passed, 1 failed'],
  [
    'a file failed and then passed alone',
    {
      ...withFile(file('a.test.ts', 'failed', 'passed', 'failed')),
      repeated: [file('a.test.ts', 'passed', 'passed', 'passed')],
    },
    '5 passed, 0 failed',
  ],
  [
    'a file failed twice',
    {
      ...withFile(file('a.test.ts', 'failed', 'failed', 'failed')),
      repeated: [file('a.test.ts', 'failed', 'passed', 'failed')],
    },
    '4 passed, 1 failed',
  ],
])('%s', (_, outcome, line) => {
  expect(formatTotals(countTotals(outcome))).toBe(line)
})

test('a file that passes when it runs again is flaky, with what failed', () => {
  const testResults = [good, file('a.test.ts', 'failed', 'passed', 'failed'), file('b.test.ts', 'failed')]
  const repeated = [file('a.test.ts', 'passed', 'passed', 'passed'), file('b.test.ts', 'passed', 'passed')]
  expect(listFlaky({ report: { testResults }, repeated }, '/repository')).toEqual([
    'flaky: a.test.ts (test 2)',
    'flaky: b.test.ts (the file, outside its tests)',
  ])
  expect(listFlaky({ report: { testResults }, repeated: testResults.slice(1) }, '/repository')).toEqual([])
})
