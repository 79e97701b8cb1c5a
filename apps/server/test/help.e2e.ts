import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { PROCESS_ENVIRONMENT } from './support/process-environment.ts'
import { MAIN } from './support/server-process.ts'

/** Runs the server with settings with which it cannot start. */
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--conditions=vaani-source', MAIN, ...args], {
    env: { ...PROCESS_ENVIRONMENT, PORT: 'none' },
  })

test('help is printed to standard output, whatever the settings are', async () => {
  const { stdout, stderr } = await run('--help')
  expect(stdout).toMatch(/^Usage: vaani-server .*--new-key --live.*#settings/s)
  expect(stderr).toBe('')
})

test('the version is printed', async () => {
  expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('other words are refused', async () => {
  await expect(run('start')).rejects.toMatchObject({ code: 1, stdout: '' })
})
