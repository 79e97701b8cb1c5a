import { expect, test } from 'vitest'

import { readCommand } from './command-line.mjs'

test('test passes its arguments to vitest, with or without a separator', () => {
  const args = ['--conditions=source', 'node_modules/vitest/vitest.mjs', 'run', '--project', 'unit']
  expect(readCommand(['test', '--project', 'unit'])).toEqual({ args, needsPnpm: false })
  expect(readCommand(['test', '--', '--project', 'unit'])).toEqual({ args, needsPnpm: false })
})

test('start passes its arguments to the server', () => {
  const args = ['--conditions=source', 'apps/server/src/main.ts', '--new-key', '--live']
  expect(readCommand(['start', '--new-key', '--live'])).toEqual({ args, needsPnpm: false })
})

test('exec runs any program and has pnpm at hand', () => {
  expect(readCommand(['exec', 'pnpm', 'check'])).toEqual({ file: 'pnpm', args: ['check'], needsPnpm: true })
  expect(() => readCommand(['exec'])).toThrow(/needs a command/)
})

test.each([[[]], [['deploy']], [['toString']]])('%j is answered with what is possible', (words) => {
  expect(() => readCommand(words)).toThrow(/one of: start, test, exec/)
})
