import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test, vi } from 'vitest'

test('Prism ends when the process that started it is killed', async () => {
  const source = JSON.stringify(path.join(import.meta.dirname, 'prism.ts'))
  const script = `import { startPrism } from ${source}
    console.log((await startPrism()).url)`
  const parent = spawn(
    process.execPath,
    ['--conditions=vaani-source', '--input-type=module', '--eval', script],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(parent.stdout, 'data')
  const prism = execFileSync('ps', ['-o', 'pid=', '--ppid', String(parent.pid)], { encoding: 'utf8' }).trim()
  expect(prism).toMatch(/^\d+$/)
  parent.kill('SIGKILL')
  // Nothing asks it for anything, so it writes nothing into a pipe that nobody reads.
  await vi.waitUntil(() => spawnSync('ps', ['-p', prism]).status !== 0, { timeout: 300_000 })
})
