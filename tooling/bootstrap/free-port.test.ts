import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { requireFreePort } from './free-port.mjs'

const run = promisify(execFile)

async function takePort() {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { PORT: String(port), free: () => once(server.close(), 'close') }
}

test('a taken port is refused with the setting to change, until it is free', async () => {
  const { PORT, free } = await takePort()
  await expect(requireFreePort({ PORT })).rejects.toThrow(
    `PORT: another program listens on port ${PORT} of 127.0.0.1; stop it or set another port`,
  )
  await free()
  await requireFreePort({ PORT })
})

test('a process that listens on no port needs none, and an invalid one is left to the server', async () => {
  const { PORT, free } = await takePort()
  await requireFreePort({ PORT, VAANI_ROLES: 'worker' })
  for (const invalid of ['http', '65536', '-1']) await requireFreePort({ PORT: invalid })
  await requireFreePort({ PORT: '1', HOST: 'no-such-host.invalid' })
  await free()
})

test('npm start looks at the port before it downloads anything', async () => {
  const { PORT, free } = await takePort()
  const root = await mkdtemp(path.join(tmpdir(), 'vaani-bootstrap-'))
  // Without the repository around it, any step after this one fails.
  await cp(import.meta.dirname, path.join(root, 'tooling/bootstrap'), {
    recursive: true,
    filter: (source) => !source.includes('node_modules'),
  })
  const started = run(process.execPath, [path.join(root, 'tooling/bootstrap/run.mjs'), 'start'], {
    env: { PORT },
  })
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^vaani: PORT: another program listens[^\n]*\n$/),
  })
  await rm(root, { recursive: true })
  await free()
})
