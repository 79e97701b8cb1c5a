import { expect, test } from 'vitest'
import { readCommandLine } from './command-line.ts'

test('without arguments the server starts', () => {
  expect(readCommandLine([])).toEqual({ command: 'serve' })
})

test('--new-key makes a test key unless a live one is asked for', () => {
  expect(readCommandLine(['--new-key'])).toEqual({ command: 'new-key', livemode: false })
  expect(readCommandLine(['--live', '--new-key'])).toEqual({ command: 'new-key', livemode: true })
})

test('migrate brings the database up to date, or only looks', () => {
  expect(readCommandLine(['migrate'])).toEqual({ command: 'migrate', isCheck: false })
  expect(readCommandLine(['migrate', '--check'])).toEqual({ command: 'migrate', isCheck: true })
})

test.each([
  [['--live']],
  [['--check']],
  [['migrate', 'now']],
  [['migrate', '--live']],
  [['--port', '80']],
  [['new-key']],
  [['--new-key=yes']],
])('%j is answered with what is possible', (args) => {
  expect(() => readCommandLine(args)).toThrow(/--new-key --live/)
})
