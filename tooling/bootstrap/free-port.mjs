import { once } from 'node:events'
import { createServer } from 'node:net'

import { BootstrapError } from './errors.mjs'

/** Defaults of the server, as in `packages/service-kit/src/service/service-settings.ts`. */
const defaults = { host: '127.0.0.1', port: '8080' }

/**
 * Refuses a start whose port is taken, so that nobody waits for downloads first. The server itself reports any other problem.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export async function requireFreePort({ HOST, PORT, VAANI_ROLES }) {
  if (VAANI_ROLES && !VAANI_ROLES.includes('api')) return
  const host = HOST || defaults.host
  const port = PORT || defaults.port
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return
  const server = createServer()
  try {
    await once(server.listen(Number(port), host), 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new BootstrapError(
        `PORT: another program listens on port ${port} of ${host}; stop it or set another port, for example PORT=8081 npm start`,
      )
    return
  }
  server.close()
  await once(server, 'close')
}
