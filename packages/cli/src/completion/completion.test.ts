import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { run } from '../test/run.ts'
import { COMPLETION_SCRIPTS } from './scripts.ts'

async function complete(...words: string[]): Promise<string[]> {
  const { code, stdout } = await run(['complete', '--', ...words])
  expect(code).toBe(0)
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t')[0] ?? '')
}

test('commands, options and their choices are completed', async () => {
  expect(await complete('')).toEqual(expect.arrayContaining(['login', 'speak', 'call']))
  expect(await complete('')).not.toContain('complete')
  expect(await complete('k')).toEqual(['kyc', 'keys'])
  expect(await complete('call', 'c')).toEqual(['cancel'])
  expect(await complete('--json', 'call', 'c')).toEqual(['cancel'])
  expect(await complete('speak', 'keys', '--em')).toEqual(['--emotion'])
  expect(await complete('speak', '--emotion', 'c')).toEqual(['calm'])
  expect(await complete('keys', 'create', '--scope', 'calls:read', 'id')).toHaveLength(4)
  expect(await complete('webhooks', 'trigger', 'verification.')).toHaveLength(3)
  expect(await complete('keys', 'list', '--j')).toEqual(['--json'])
})

test('nothing is offered if free text or a file is expected', async () => {
  expect(await complete('speak', 'Hello', '--out', '')).toEqual([])
  expect(await complete('call', 'get', '')).toEqual([])
})

const isThere = (shell: string): boolean => spawnSync(shell, ['--version'], { stdio: 'ignore' }).status === 0

/** Each shell parses its script without running a command line. */
test.for(Object.keys(COMPLETION_SCRIPTS))('%s accepts its script', async (shell, { skip }) => {
  if (!isThere(shell)) skip(`${shell} is not installed`)
  const { stdout } = await run(['completion', shell])
  expect(spawnSync(shell, ['-n', '-c', stdout], { stdio: 'ignore' })).toMatchObject({ status: 0 })
})

test('bash completes after a colon', async ({ skip }) => {
  if (!isThere('bash')) skip('bash is not installed')
  const { stdout: script } = await run(['completion', 'bash'])
  const line = 'vaani keys create --scope calls:'
  const { stdout: words } = await run(['complete', '--', 'keys', 'create', '--scope', 'calls:'])
  const shell = `vaani() { printf '%s' "$WORDS"; }
${script}
COMP_LINE='${line}' COMP_POINT=${line.length}
_vaani; echo "\${COMPREPLY[@]}"`
  expect(execFileSync('bash', ['--norc', '-c', shell], { env: { WORDS: words }, encoding: 'utf8' })).toBe(
    'write read\n',
  )
})
