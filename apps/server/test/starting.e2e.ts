import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { programFile } from '@vaani/test-services'
import { runToEnd } from './support/run-to-end.ts'
import { SERVER_ENVIRONMENT } from './support/server-process.ts'

/** Ends the start before anything is opened. */
const WRONG = { PORT: 'none' }
const hasScript =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true

test.skipIf(!hasScript)('a start at a terminal shows a line of life first', () => {
  const command = `'${process.execPath}' --conditions=vaani-source '${programFile('server')}'`
  const { stdout } = spawnSync('script', ['--quiet', '--command', command, '/dev/null'], {
    env: { ...SERVER_ENVIRONMENT, ...WRONG },
    encoding: 'utf8',
  })
  expect(stdout).toMatch(/^Starting Vaani …\r?\n.*PORT/)
})

test('a start whose output is collected prints no such line', async () => {
  expect(await runToEnd([], WRONG)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('PORT'),
  })
})
