import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { expect, test } from 'vitest'

import { runToEnd } from './run-to-end.mjs'

const surroundings = { file: process.execPath, cwd: process.cwd(), environment: process.env }

test("returns the program's exit code", async () => {
  expect(await runToEnd({ ...surroundings, args: ['-e', 'process.exitCode = 7'] })).toBe(7)
  expect(await runToEnd({ ...surroundings, args: ['-e', 'process.kill(process.pid, "SIGKILL")'] })).toBe(137)
})

test('names a program that does not exist', async () => {
  await expect(runToEnd({ ...surroundings, file: 'no-such-program', args: [] })).rejects.toThrow(
    /no-such-program/,
  )
})

/** Starts a process that runs a program to its end. */
function runParent(program: string, more: { endsWithUs?: boolean } = {}) {
  const parent =
    `import { runToEnd } from ${JSON.stringify(new URL('run-to-end.mjs', import.meta.url))};` +
    `process.exitCode = await runToEnd({ file: process.execPath, args: ['-e', ${JSON.stringify(program)}],` +
    `cwd: process.cwd(), environment: process.env, ...${JSON.stringify(more)} })`
  const running = spawn(process.execPath, ['--input-type=module', '-e', parent], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.stdout.setEncoding('utf8')
  return running
}

test.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s reaches the program once, however often it comes',
  async (signal) => {
    const running = runParent(
      `process.on("${signal}", () => { console.log("told"); setTimeout(() => process.exit(3), 300) });` +
        'console.log("ready"); setInterval(() => {}, 1000)',
    )
    let output = ''
    running.stdout.on('data', (text: string) => {
      running.kill(signal)
      output += text
    })
    const [code] = await once(running, 'close')
    expect({ code, output }).toEqual({ code: 3, output: 'ready\ntold\n' })
  },
)

test('a program that ends with us notices our end, even after kill -9', async () => {
  const running = runParent(
    'const pipe = new net.Socket({ fd: Number(process.env.VAANI_PARENT_PIPE) });' +
      'pipe.on("close", () => console.log("gone")).resume(); console.log("ready")',
    { endsWithUs: true },
  )
  let output = ''
  running.stdout.on('data', (text: string) => {
    running.kill('SIGKILL')
    output += text
  })
  // The program shares our output, which closes only when the program ends.
  await once(running, 'close')
  expect(output).toBe('ready\ngone\n')
})

test('other programs get no pipe', async () => {
  const running = runParent('console.log(String(process.env.VAANI_PARENT_PIPE))')
  const [output] = await once(running.stdout, 'data')
  expect(output).toBe('undefined\n')
})
