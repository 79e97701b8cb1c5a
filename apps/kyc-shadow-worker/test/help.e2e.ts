import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--conditions=vaani-source', MAIN, ...args])

test('help and the version are printed to standard output', async () => {
  expect((await run('--help')).stdout).toMatch(/^Usage: kyc-shadow-worker .*#settings/s)
  expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('other words are refused', async () => {
  await expect(run()).rejects.toMatchObject({ code: 2, stdout: '' })
  await expect(run('gateways')).rejects.toMatchObject({ code: 2, stdout: '' })
})
