import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigError } from '../settings/define-settings.ts'
import { listen } from './listen.ts'

const variables = { host: 'HOST', port: 'PORT' }
function createStopped() {
  const server = createServer()
  onTestFinished(() => void server.close())
  return server
}

test('resolves with the port', async () => {
  const port = await listen(createStopped(), { host: '127.0.0.1', port: 0, variables })
  expect(port).toBeGreaterThan(0)
})

test('names the variable of a port that is taken', async () => {
  const port = await listen(createStopped(), { host: '127.0.0.1', port: 0, variables })
  const refused = listen(createStopped(), { host: '127.0.0.1', port, variables })
  await expect(refused).rejects.toThrow(
    new ConfigError(
      `PORT: another program listens on port ${port} of 127.0.0.1; stop it or set another port`,
    ),
  )
})

test.each([
  ['192.0.2.1', 'HOST: 192.0.2.1 is not an address of this machine'],
  ['no-such-host.invalid', 'HOST: no-such-host.invalid has no address'],
])('names the variable of the host %s', async (host, message) => {
  const refused = listen(createStopped(), { host, port: 0, variables })
  await expect(refused).rejects.toThrow(new ConfigError(message))
})
