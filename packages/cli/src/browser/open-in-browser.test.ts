import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCli } from '../run-cli.ts'
import { createEnvironment, run } from '../test/run.ts'
import { openerOf, openInBrowser } from './open-in-browser.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-open-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs `open docs` on a terminal with a desktop, whose opener records its arguments and the key in its environment. */
async function openDocs(variables: Record<string, string>) {
  const opened = path.join(folder, 'opened')
  const opener = path.join(folder, 'xdg-open')
  await writeFile(
    opener,
    `#!/bin/sh\nprintf '%s|' "$@" "$VAANI_API_KEY" > ${opened}.part\n/bin/mv ${opened}.part ${opened}\n`,
  )
  await chmod(opener, 0o755)
  const { environment, stdout } = createEnvironment({
    variables: { PATH: folder, DISPLAY: ':0', ...variables },
  })
  Object.assign(environment.stdout, { isTTY: true })
  expect(await runCli(['open', 'docs'], environment)).toBe(0)
  return { stdout: stdout(), opened: () => readFile(opened, 'utf8').catch(() => undefined) }
}

test.runIf(process.platform === 'linux')(
  'opens the API reference of the service, and never passes on the key',
  async () => {
    const { stdout, opened } = await openDocs({
      VAANI_BASE_URL: 'http://127.0.0.1:8080',
      VAANI_API_KEY: 'sk_test_key',
    })
    expect(stdout).toBe('http://127.0.0.1:8080/docs\n')
    await expect.poll(opened).toBe('http://127.0.0.1:8080/docs||')
  },
)

test('a URL that a shell could interpret as a command is not opened', async () => {
  const variables = { PATH: folder, DISPLAY: ':0' }
  await writeFile(path.join(folder, 'xdg-open'), '#!/bin/sh\n', { mode: 0o755 })
  for (const part of ['$(reboot)', '`reboot`', ';reboot', '&reboot', "'", '%20-x', '?a=b'])
    expect(await openInBrowser(`http://127.0.0.1/${part}/docs`, variables)).toBe(false)
})

test('only prints the URL without a terminal, and needs no key', async () => {
  const variables = { VAANI_BASE_URL: 'http://127.0.0.1:8080', DISPLAY: ':0', PATH: folder }
  expect(await run(['open', 'docs'], { variables })).toEqual({
    code: 0,
    stdout: 'http://127.0.0.1:8080/docs\n',
    stderr: '',
  })
  expect((await run(['open', 'docs', '--json'], { variables })).stdout).toBe(
    '{"url":"http://127.0.0.1:8080/docs","opened":false}\n',
  )
})

test('every platform has an opener without a shell, Linux only with a desktop', () => {
  expect(openerOf('darwin', {})).toEqual(['open'])
  expect(openerOf('win32', {})).toEqual(['rundll32.exe', 'url.dll,FileProtocolHandler'])
  expect(openerOf('linux', {})).toBeUndefined()
  expect(openerOf('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open'])
})
