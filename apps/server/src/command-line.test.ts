import { expect, test } from 'vitest'
import { readCommandLine } from './command-line.ts'

test('without arguments the server starts', () => {
  expect(readCommandLine([])).toEqual({ command: 'serve' })
})

test('--new-key creates a test key unless --live is given', () => {
  expect(readCommandLine(['--new-key'])).toEqual({ command: 'new-key', livemode: false })
  expect(readCommandLine(['--live', '--new-key'])).toEqual({ command: 'new-key', livemode: true })
})

test('migrate migrates the database, or only checks it', () => {
  expect(readCommandLine(['migrate'])).toEqual({ command: 'migrate', isCheck: false })
  expect(readCommandLine(['migrate', '--check'])).toEqual({ command: 'migrate', isCheck: true })
})

test('reseal seals at a rate, or only counts', () => {
  const usual = { command: 'reseal', isDryRun: false, rowsPerSecond: 1000 }
  expect(readCommandLine(['reseal'])).toEqual(usual)
  expect(readCommandLine(['reseal', '--dry-run'])).toEqual({ ...usual, isDryRun: true })
  expect(readCommandLine(['reseal', '--rows-per-second', '50'])).toEqual({ ...usual, rowsPerSecond: 50 })
})

test('restored can hold webhooks', () => {
  expect(readCommandLine(['restored'])).toEqual({ command: 'restored', holdsWebhooks: false })
  expect(readCommandLine(['restored', '--hold-webhooks'])).toMatchObject({ holdsWebhooks: true })
})

test('voices are listed, or one is added', () => {
  expect(readCommandLine(['voices', 'list'])).toEqual({ command: 'list-voices' })
  expect(readCommandLine(['voices', 'add', 'toy', '--from', 'toy.tar.bz2'])).toEqual({
    command: 'add-voice',
    name: 'toy',
    voice: { from: 'toy.tar.bz2' },
  })
})

test('lines are checked, all of them or one, which may call a number', () => {
  const all = { command: 'check-lines', name: undefined, number: undefined, isTraced: false }
  expect(readCommandLine(['lines', 'check'])).toEqual(all)
  expect(readCommandLine(['lines', 'check', 'line', '--call', '+97714412345'])).toEqual({
    ...all,
    name: 'line',
    number: '+97714412345',
  })
})

test('help and the version are commands of their own', () => {
  expect(readCommandLine(['--help'])).toEqual({ command: 'help' })
  expect(readCommandLine(['migrate', '-h'])).toEqual({ command: 'help' })
  expect(readCommandLine(['--version'])).toEqual({ command: 'version' })
})

test.each([
  [['--live']],
  [['--check']],
  [['migrate', 'now']],
  [['migrate', '--live']],
  [['migrate', '--dry-run']],
  [['reseal', '--check']],
  [['reseal', '--rows-per-second', '0']],
  [['--dry-run']],
  [['restored', '--dry-run']],
  [['--port', '80']],
  [['new-key']],
  [['lines']],
  [['lines', 'check', '--call', '+97714412345']],
  [['lines', 'check', 'line', '--call', '4412345']],
  [['voices']],
  [['voices', 'add']],
  [['voices', 'add', 'toy', 'more']],
  [['voices', 'add', 'toy', '--check']],
  [['voices', 'list', '--from', 'toy']],
  [['--from', 'toy']],
  [['--new-key=yes']],
])('%j prints the usage', (args) => {
  expect(() => readCommandLine(args)).toThrow(/--new-key --live/)
})
