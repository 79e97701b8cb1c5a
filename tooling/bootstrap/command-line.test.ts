import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

import { readCommand } from './command-line.mjs'

const MAIN = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))

test('test passes its arguments to vitest, with or without a separator, and leaves long tests out unless projects are named', () => {
  const args = ['--conditions=vaani-source', 'node_modules/vitest/vitest.mjs', 'run', '--project', 'unit']
  expect(readCommand(['test', '--project', 'unit'])).toEqual({ args, needsPnpm: false })
  expect(readCommand(['test', '--', '--project', 'unit'])).toEqual({ args, needsPnpm: false })
  expect(readCommand(['test', 'packages/cli']).args.slice(2)).toEqual([
    'run',
    '--project=!long',
    'packages/cli',
  ])
})

test('start passes its arguments to the server', () => {
  const args = ['--conditions=vaani-source', 'apps/server/src/main.ts', '--new-key', '--live']
  const command = { args, needsPnpm: false, endsWithUs: true, listens: false }
  expect(readCommand(['start', '--new-key', '--live'])).toEqual(command)
  expect(readCommand(['start', '--'])).toEqual({ ...command, args: args.slice(0, 2), listens: true })
})

test('shadow passes its arguments to the migration worker', () => {
  const args = ['--conditions=vaani-source', 'apps/kyc-shadow-worker/src/main.ts', 'gateway']
  expect(readCommand(['shadow', 'gateway'])).toEqual({ args, needsPnpm: false, endsWithUs: true })
})

test('exec runs any program with pnpm on its PATH', () => {
  expect(readCommand(['exec', 'pnpm', 'check'])).toEqual({ file: 'pnpm', args: ['check'], needsPnpm: true })
  expect(() => readCommand(['exec'])).toThrow(/needs a command/)
})

test("vaani runs the command line in the caller's folder with unchanged arguments", () => {
  expect(readCommand(['vaani', '--', 'call', 'list'])).toEqual({
    args: ['--conditions=vaani-source', MAIN, '--', 'call', 'list'],
    needsPnpm: false,
    runsInPlace: true,
  })
})

test.each([[[]], [['deploy']], [['toString']]])('%j is refused with the list of commands', (words) => {
  expect(() => readCommand(words)).toThrow(/one of: start, shadow, test, vaani, exec/)
})
