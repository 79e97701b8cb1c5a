import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { expect, test } from 'vitest'

import { runToEnd } from './run-to-end.mjs'

const surroundings = { file: process.execPath, cwd: process.cwd(), environment: process.env }

test('the exit code of the program is the result', async () => {
  expect(await runToEnd({ ...surroundings, args: ['-e', 'process.exitCode = 7'] })).toBe(7)
  expect(await runToEnd({ ...surroundings, args: ['-e', 'process.kill(process.pid, "SIGKILL")'] })).toBe(137)
})

test('a program that does not exist is named', async () => {
  await expect(runToEnd({ ...surroundings, file: 'no-such-program', args: [] })).rejects.toThrow(
    /no-such-program/,
  )
})

test('a signal reaches the program once, however often it comes', async () => {
  const child =
    'process.on("SIGTERM", () => { console.log("term"); setTimeout(() => process.exit(3), 300) });' +
    'console.log("ready"); setInterval(() => {}, 1000)'
  const parent =
    `import { runToEnd } from ${JSON.stringify(new URL('run-to-end.mjs', import.meta.url))};` +
    `process.exitCode = await runToEnd({ file: process.execPath, args: ['-e', ${JSON.stringify(child)}],` +
    `cwd: process.cwd(), environment: process.env })`
  const running = spawn(process.execPath, ['--input-type=module', '-e', parent], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    running.kill('SIGTERM')
    output += text
  })
  const [code] = await once(running, 'close')
  expect({ code, output }).toEqual({ code: 3, output: 'ready\nterm\n' })
})
