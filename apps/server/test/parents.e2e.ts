/** Checks that no process of `npm start` remains when one of them is killed: npm, the start script or the server. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAlive } from './support/is-alive.ts'
import { PROCESS_ENVIRONMENT } from './support/process-environment.ts'
import { until } from '@vaani/test-services/until'

const REPOSITORY = path.resolve(import.meta.dirname, '../../..')

/** The pids of the started processes. */
interface Chain {
  npm: number
  script: number
  server: number
  postgres: number
}

/** Finds the descendant of a process that runs a program. */
function descendant(ancestor: number, program: string): number {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row))
    .flatMap((row) => (row ? [{ pid: Number(row[1]), parent: Number(row[2]), args: row[3] ?? '' }] : []))
  const below = new Set([ancestor])
  for (let size = 0; size !== below.size;) {
    size = below.size
    for (const { pid, parent } of rows) if (below.has(parent)) below.add(pid)
  }
  const found = rows.find(({ pid, args }) => pid !== ancestor && below.has(pid) && args.includes(program))
  if (found === undefined) throw new Error(`${program} does not run`)
  return found.pid
}

/** Creates a folder for one test to start in. Tests run concurrently, because each starts several programs one after another. */
async function openPlace() {
  await using held = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-parents-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  // If the test runs as root, Postgres runs as another user.
  await chmod(folder, 0o755)
  // The start script without installing dependencies, which would interfere with other tests.
  const runToEnd = JSON.stringify(path.join(REPOSITORY, 'tooling/bootstrap/run-to-end.mjs'))
  const main = JSON.stringify(path.join(REPOSITORY, 'apps/server/src/main.ts'))
  await mkdir(path.join(folder, 'bootstrap'))
  await writeFile(
    path.join(folder, 'bootstrap/run.mjs'),
    `import { runToEnd } from ${runToEnd}
    process.exitCode = await runToEnd({
      file: process.execPath, args: ['--conditions=vaani-source', ${main}], cwd: ${JSON.stringify(folder)},
      environment: process.env, endsWithUs: true })`,
  )
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ private: true, scripts: { start: 'node bootstrap/run.mjs' } }),
  )
  const cleanUp = held.move()

  async function start(
    file: string,
    args: readonly string[],
  ): Promise<{ child: ChildProcess; output(): string }> {
    const child = spawn(file, args, {
      cwd: folder,
      env: { ...PROCESS_ENVIRONMENT, HOME: folder, PORT: '0', VAANI_SHUTDOWN_GRACE_SECONDS: '5' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group, as in a terminal.
      detached: true,
    })
    cleanUp.defer(() => {
      if (child.pid !== undefined && isAlive(-child.pid)) process.kill(-child.pid, 'SIGKILL')
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => (text += String(data)))
    await until(
      async () => text,
      (output) => output.includes('"event":"started"') || child.exitCode !== null,
    )
    expect(text).toContain('"event":"started"')
    return { child, output: () => text }
  }

  async function startChain(): Promise<Chain> {
    const { child } = await start('npm', ['start'])
    const npm = child.pid ?? 0
    const postmaster = await readFile(path.join(folder, '.vaani/postgres/data/postmaster.pid'), 'utf8')
    return {
      npm,
      script: descendant(npm, 'bootstrap/run.mjs'),
      server: descendant(npm, 'src/main.ts'),
      postgres: Number(postmaster.split('\n', 1)[0]),
    }
  }

  return { start, startChain, [Symbol.asyncDispose]: () => cleanUp.disposeAsync() }
}

async function expectNothingLeft(...pids: number[]): Promise<void> {
  await until(
    async () => pids.filter(isAlive),
    (left) => left.length === 0,
  )
}

describe.concurrent('npm start', () => {
  test.each(['npm', 'script', 'server'] as const)(
    'leaves no process behind after kill -9 of its %s',
    async (part) => {
      await using place = await openPlace()
      const { startChain } = place
      const chain = await startChain()
      process.kill(chain[part], 'SIGKILL')
      await expectNothingLeft(...Object.values(chain))
    },
  )

  test('leaves no process behind when its terminal is closed', async () => {
    await using place = await openPlace()
    const { startChain } = place
    const chain = await startChain()
    process.kill(-chain.npm, 'SIGHUP')
    await expectNothingLeft(...Object.values(chain))
  })

  test('leaves no process behind on Ctrl-C', async () => {
    await using place = await openPlace()
    const { startChain } = place
    const chain = await startChain()
    process.kill(-chain.npm, 'SIGINT')
    await expectNothingLeft(...Object.values(chain))
  })
})

test.concurrent('a server keeps running after its shell is killed', async () => {
  await using place = await openPlace()
  const { start } = place
  const main = path.join(REPOSITORY, 'apps/server/src/main.ts')
  const command = `"${process.execPath}" --conditions=vaani-source "${main}" & echo "server: $!"; wait`
  const { child, output } = await start('/bin/sh', ['-c', command])
  const server = Number(/server: (\d+)/.exec(output())?.[1])
  const address = /"address":"(http[^"]+)"/.exec(output())?.[1]
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
  const answer = await fetch(`${address}/readyz`)
  expect(answer.status).toBe(200)
  await answer.body?.cancel()
  expect(isAlive(server)).toBe(true)
  process.kill(server, 'SIGTERM')
  await expectNothingLeft(server)
})
