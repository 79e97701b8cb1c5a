import { execFile } from 'node:child_process'
import { cp, glob, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const LIMIT_MS = 600_000

const root = path.resolve(import.meta.dirname, '../../..')
let copy: string
const run = async (command: string, ...parameters: string[]): Promise<string> => {
  const bin = path.join(root, 'node_modules/.bin')
  const { stdout } = await promisify(execFile)(command, parameters, {
    cwd: copy,
    // Not the variables of this test's own runner.
    env: { PATH: `${bin}${path.delimiter}${process.env['PATH']}`, HOME: process.env['HOME'], CI: 'true' },
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  }).catch((error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`${command} ${parameters.join(' ')}: ${error.message}\n${error.stdout}\n${error.stderr}`)
  })
  return stdout
}

beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'vaani-new-group-'))
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: root })
  const files = stdout.split('\0').filter((file) => file !== '')
  await Promise.all(files.map((file) => cp(path.join(root, file), path.join(copy, file))))
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  // Links to the workspaces of the copy, because they are relative.
  for await (const folder of glob('{apps,packages,tooling}/*/node_modules', { cwd: root }))
    await cp(path.join(root, folder), path.join(copy, folder), { recursive: true, verbatimSymlinks: true })
}, LIMIT_MS)
afterAll(() => rm(copy, { recursive: true, force: true }))

test('a new group compiles, is formatted, and passes its test', { timeout: LIMIT_MS }, async () => {
  await run('node', '--conditions=vaani-source', 'tooling/generator/new.ts', 'group', 'lost-parcels')
  await run('oxfmt', '--check', 'apps', 'packages')
  await run('oxlint', '--quiet', 'apps/server', 'packages/contracts', 'packages/client', 'packages/cli')
  for (const workspace of ['packages/contracts', 'packages/client', 'packages/cli', 'apps/server'])
    await run('tsc', '-p', workspace)
  const output = await run('vitest', 'run', '--project', 'e2e', 'apps/server/test/lost-parcels.e2e.ts')
  expect(output).toContain('1 passed')
})
