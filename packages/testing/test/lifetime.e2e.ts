/** Nothing stays on the machine, however the tests end. Each test has its own temporary folder, and so its own Postgres. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { canRunAs, programFile } from '@vaani/test-services'
import { thorough } from '@vaani/test-services/thorough'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const OTHER_ID = 12_345

let folder: string
let tests: ChildProcess | undefined
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-lifetime-'))
  // If this process is root, Postgres runs as another user.
  await chmod(folder, 0o755)
})
afterEach(async () => {
  tests?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** Starts a process group that starts a server, like a user's test run. */
function runTests(options: string, ids: { uid?: number } = {}): ChildProcess {
  // As `startVaani` does, from a bundle, which takes a third of the work.
  const program = `import { startServerProcess } from '@vaani/test-harness'
    await startServerProcess(${JSON.stringify(programFile('testing-server'))}, ${options})
    console.log('started')
    setInterval(() => undefined, 1000)`
  tests = spawn(process.execPath, ['--conditions=vaani-source', '--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      TMPDIR: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...ids,
  })
  return tests
}

const errorsOf = async ({ stderr }: ChildProcess): Promise<string> => (stderr ? text(stderr) : '')

const filesLeft = async (): Promise<string[]> => {
  const files = await readdir(folder, { recursive: true })
  return files.filter((file) => /^vaani-testing-\w{6}$|postmaster\.pid$/.test(file))
}

describe('leaves nothing behind', () => {
  const ENDS: readonly [NodeJS.Signals, 'group' | 'process'][] = [
    ['SIGKILL', 'process'],
    ['SIGINT', 'group'],
    ['SIGHUP', 'group'],
  ]

  test.each(thorough({ usual: ENDS.slice(0, 2), long: ENDS }))(
    'if %s ends the %s of the tests',
    async (signal, target) => {
      const child = runTests('{}')
      await once(child.stdout ?? child, 'data')
      expect(await filesLeft()).toHaveLength(2)
      process.kill((child.pid ?? 0) * (target === 'group' ? -1 : 1), signal)
      await expect.poll(filesLeft, { timeout: 300_000 }).toEqual([])
    },
  )
})

describe.skipIf(process.getuid?.() !== 0)('on a machine with several users', () => {
  test('does not use a folder that another user created first', async () => {
    const planted = path.join(folder, 'vaani-testing-postgres-0')
    await mkdir(planted)
    await chown(planted, OTHER_ID, OTHER_ID)
    const child = runTests('{}')
    expect(await errorsOf(child)).toContain('belongs to another user')
  })

  test.skipIf(!canRunAs(OTHER_ID))('starts for a user without a name', async () => {
    await chmod(folder, 0o777)
    const child = runTests(`{ postgres: 'postgres://127.0.0.1:1/none' }`, { uid: OTHER_ID })
    expect(await errorsOf(child)).toContain('ECONNREFUSED')
  })
})
