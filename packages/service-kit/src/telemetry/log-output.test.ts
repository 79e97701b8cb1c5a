import { existsSync } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLogOutput } from './log-output.ts'

async function openFile(file: string) {
  const handle = await open(file, 'w')
  onTestFinished(() => handle.close())
  return handle
}

test('every line is written at once, in order', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'log')
  const output = createLogOutput((await openFile(file)).fd)
  const lines = Array.from({ length: 1000 }, (_, index) => `नमस्ते ${index}\n`)
  for (const line of lines) output.write(line)
  expect(await readFile(file, 'utf8')).toBe(lines.join(''))
})

test.runIf(existsSync('/dev/full'))('an output without room fails nothing, and ends', async () => {
  // Tried again after the test, it would be written to whatever file has the number of this one by then.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const output = createLogOutput((await openFile('/dev/full')).fd)
  for (let line = 0; line < 3000; line++) output.write(`${'x'.repeat(1000)}\n`)
  output.flush()
})
